#!/usr/bin/env python3
"""A filter for takt run, its records sized: the stages of examples/compress, as programs.

Usage: sized.py read|tidy|compress|verify"""
import struct
import sys
import zlib

GZIP = 31  # zlib's word for a gzip file


def read(name):
    with open(name, "rb") as file:
        return file.read()


def tidy(text):
    return b"".join(line.rstrip(b" \t\r") + b"\n" for line in text.removesuffix(b"\n").split(b"\n"))


def compress(data):
    packer = zlib.compressobj(9, zlib.DEFLATED, GZIP, 9)
    return packer.compress(data) + packer.flush()


def verify(data):
    zlib.decompress(data, GZIP)
    return data


def main():
    stage = {"read": read, "tidy": tidy, "compress": compress, "verify": verify}[sys.argv[1]]
    inputs, results = sys.stdin.buffer, sys.stdout.buffer
    while head := inputs.read(8):
        result = stage(inputs.read(struct.unpack("<Q", head)[0]))
        results.write(struct.pack("<Q", len(result)) + result)
        results.flush()


main()
