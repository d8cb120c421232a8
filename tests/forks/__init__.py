# SPDX-License-Identifier: Apache-2.0
"""Copied homes, each of which goes on releasing: does whoever holds two bundles notice?"""
