# SPDX-License-Identifier: Apache-2.0
"""Small painted widgets, one public class a file; pages are put together from them."""
