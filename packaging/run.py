# SPDX-License-Identifier: Apache-2.0
"""Set everything up and open the desk on the sample hospital.

    python3 packaging/run.py                 the sample hospital
    python3 packaging/run.py plan STUDY      anything that dpdesk itself takes

Where no window can open, the sample release is made from the shell instead.
"""

import sys

if sys.version_info < (3, 11):
    sys.exit("dpdesk needs Python 3.11 or later; this is Python %d.%d." % sys.version_info[:2])

import environment
import machine
import sample


def main(arguments: list[str]) -> int:
    """Prepare the machine, then hand over to dpdesk."""
    window = machine.has_display() and (not arguments or sample.is_study(arguments[0]))
    machine.provide(machine.python_packages() + (machine.window_packages() if window else []))
    environment.prepare(environment.RUN_LOCK)
    if arguments:
        return environment.call(["-m", "dpdesk", *arguments])
    folder = sample.write()
    if window:
        sample.open_account()
        print(f"Opening the sample hospital in {folder}", flush=True)
        return environment.call(["-m", "dpdesk", str(folder / sample.STUDY)])
    print("There is no display here, so no window can open.", flush=True)
    return sample.release(folder)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
