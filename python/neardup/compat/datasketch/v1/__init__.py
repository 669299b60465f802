"""The package datasketch 1.10, natively: as neardup.compat.datasketch, with the scheme "legacy", which was the only one.

import neardup.compat.datasketch.v1 as datasketch
"""

from ..b_bit_minhash import bBitMinHash
from ..hashfunc import sha1_hash32
from ..lsh import MinHashLSH
from ..lshensemble import MinHashLSHEnsemble
from ..lshforest import MinHashLSHForest
from ..weighted_minhash import WeightedMinHash, WeightedMinHashGenerator
from .lean_minhash import LeanMinHash
from .minhash import MinHash

WeightedMinHashLSH = MinHashLSH
WeightedMinHashLSHForest = MinHashLSHForest

__version__ = "1.10.0"

__all__ = [
    "LeanMinHash",
    "MinHash",
    "MinHashLSH",
    "MinHashLSHEnsemble",
    "MinHashLSHForest",
    "WeightedMinHash",
    "WeightedMinHashGenerator",
    "WeightedMinHashLSH",
    "WeightedMinHashLSHForest",
    "bBitMinHash",
    "sha1_hash32",
]
