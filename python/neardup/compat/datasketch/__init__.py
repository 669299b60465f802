"""The package datasketch 2.0.0, natively: the same classes, the same hash values for the same seed.

    import neardup.compat.datasketch as datasketch

has `MinHash`, `LeanMinHash`, `bBitMinHash`, `WeightedMinHash` and its generator, `MinHashLSH`, `MinHashLSHForest`, `MinHashLSHEnsemble`
and the hash functions, and submodules with the names of the original. Tokens that are hashed with the default functions (`sha1_hash32`,
`sha1_hash64`) never pass through Python one by one; a hash function of yours does. `MinHash.bulk` uses all cores.

As in datasketch 2.0.0 the default scheme is "affine32". Programs and data of datasketch 1.x, where "legacy" was the only scheme:

    import neardup.compat.datasketch.v1 as datasketch

Left out: HyperLogLog, HNSW, MinHashLSHBloom, AsyncMinHashLSH and the other asynchronous classes, GPUs (`gpu_mode="always"` raises
RuntimeError, "detect" finds none), and storage in Redis or Cassandra (`storage_config` takes {"type": "dict"}).

Different from the original:

- `hashtables` and `keys` of a MinHashLSH are views; its own methods change them.
- A query lists keys in the order in which they were inserted; the original has the order of a set.
- `remove` and `merge` deal with all of a key that was inserted twice; the original leaves or drops the buckets of all but the first time.
- With weights such as (0.0, 1.0), where errors are at the level of rounding, MinHashLSH may choose other `b` and `r`.
- `hashfunc` must return integers, in the scheme's range.
- `permutations` is read-only, and shared by objects with the same seed; assign a new array to change it.
"""

from .b_bit_minhash import bBitMinHash
from .hashfunc import sha1_hash32, sha1_hash64
from .lean_minhash import LeanMinHash
from .lsh import MinHashLSH
from .lshensemble import MinHashLSHEnsemble
from .lshforest import MinHashLSHForest
from .minhash import MinHash
from .weighted_minhash import WeightedMinHash, WeightedMinHashGenerator

WeightedMinHashLSH = MinHashLSH
WeightedMinHashLSHForest = MinHashLSHForest

__version__ = "2.0.0"

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
    "sha1_hash64",
]
