"""The program takt, of this package: python3 -m takt ARGUMENTS."""

import sys

from takt import _core

if __name__ == "__main__":
    sys.exit(_core.main(sys.argv[1:]))
