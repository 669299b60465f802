"""The storage of MinHashLSH: dictionaries in memory. Redis, Cassandra and the other backends of the original are left out."""

from __future__ import annotations

import random
import string
from abc import ABC, abstractmethod
from collections import defaultdict

_DEFAULT_BUFFER = 50000


def _check_type(config) -> None:
    kind = config["type"]
    if kind == "dict":
        return
    if kind in ("redis", "cassandra", "aioredis", "aiomongo"):
        raise ValueError(f"storage type {kind!r} is not supported: only 'dict' is, in memory")
    raise ValueError(f"unknown storage type: {kind!r}")


def ordered_storage(config, name=None) -> OrderedStorage:
    """A storage of lists; `config` is {"type": "dict"}, and `name` is ignored."""
    _check_type(config)
    return DictListStorage(config)


def unordered_storage(config, name=None) -> UnorderedStorage:
    """A storage of sets; `config` is {"type": "dict"}, and `name` is ignored."""
    _check_type(config)
    return DictSetStorage(config)


class Storage(ABC):
    """Keys with several values each."""

    def __getitem__(self, key):
        return self.get(key)

    def __delitem__(self, key):
        return self.remove(key)

    def __len__(self):
        return self.size()

    def __iter__(self):
        return iter(self.keys())

    def __contains__(self, item):
        return self.has_key(item)

    @abstractmethod
    def keys(self):
        """All keys."""

    @abstractmethod
    def get(self, key):
        """The values of a key; empty if there is no such key."""

    def getmany(self, *keys):
        """A list of the values of each key."""
        return [self.get(key) for key in keys]

    @abstractmethod
    def insert(self, key, *vals, **kwargs):
        """Adds values to a key."""

    @abstractmethod
    def remove(self, *keys, **kwargs):
        """Removes keys."""

    @abstractmethod
    def remove_val(self, key, val, **kwargs):
        """Removes one value of a key."""

    @abstractmethod
    def size(self):
        """The number of keys."""

    @abstractmethod
    def itemcounts(self, **kwargs):
        """A dictionary of the number of values of each key."""

    @abstractmethod
    def has_key(self, key):
        """Whether there is this key."""

    @property
    def buffer_size(self):
        """Without effect: nothing is buffered in memory."""
        return getattr(self, "_buffer_size", _DEFAULT_BUFFER)

    @buffer_size.setter
    def buffer_size(self, value):
        self._buffer_size = value

    def status(self):
        """A dictionary with the number of keys."""
        return {"keyspace_size": len(self)}

    def empty_buffer(self):
        """Without effect."""

    def add_to_select_buffer(self, keys):
        """Looks up keys for collect_select_buffer()."""
        self.__dict__.setdefault("_select_buffer", []).extend(self.getmany(*keys))

    def collect_select_buffer(self):
        """The results of the buffered look-ups, which it forgets."""
        return self.__dict__.pop("_select_buffer", [])


class OrderedStorage(Storage):
    """Values in the order in which they were added."""


class UnorderedStorage(Storage):
    """Values without an order, each once."""


class DictListStorage(OrderedStorage):
    """A dictionary of lists."""

    def __init__(self, config):
        self._dict = defaultdict(list)

    def keys(self):
        return self._dict.keys()

    def get(self, key):
        return self._dict.get(key, [])

    def remove(self, *keys, **kwargs):
        for key in keys:
            del self._dict[key]

    def remove_val(self, key, val, **kwargs):
        self._dict[key].remove(val)

    def insert(self, key, *vals, **kwargs):
        self._dict[key].extend(vals)

    def size(self):
        return len(self._dict)

    def itemcounts(self, **kwargs):
        return {key: len(values) for key, values in self._dict.items()}

    def has_key(self, key):
        return key in self._dict


class DictSetStorage(UnorderedStorage, DictListStorage):
    """A dictionary of sets."""

    def __init__(self, config):
        self._dict = defaultdict(set)

    def get(self, key):
        return self._dict.get(key, set())

    def insert(self, key, *vals, **kwargs):
        self._dict[key].update(vals)


class _View(Storage):
    """A part of a native index. It is read-only: the index keeps its parts consistent."""

    def __init__(self, index):
        self._index = index

    def _refuse(self):
        raise TypeError("this storage is a view: use insert() and remove() of the MinHashLSH")

    def insert(self, key, *vals, **kwargs):
        self._refuse()

    def remove(self, *keys, **kwargs):
        self._refuse()

    def remove_val(self, key, val, **kwargs):
        self._refuse()


class KeyView(OrderedStorage, _View):
    """The keys of a native index, each with the bytes of its bands."""

    def keys(self):
        return self._index.keys()

    def get(self, key):
        return self._index.bands_of(key)

    def size(self):
        return self._index.size()

    def itemcounts(self, **kwargs):
        return {key: len(self.get(key)) for key in self.keys()}

    def has_key(self, key):
        return self._index.has(key)


class BandView(UnorderedStorage, _View):
    """The buckets of one band of a native index: bytes, each with a set of keys."""

    def __init__(self, index, band):
        super().__init__(index)
        self._band = band

    def keys(self):
        return self._index.table_keys(self._band)

    def get(self, key):
        return self._index.table_get(self._band, key)

    def size(self):
        return self._index.table_size(self._band)

    def itemcounts(self, **kwargs):
        return self._index.table_counts(self._band)

    def has_key(self, key):
        return bool(self.get(key))


def _random_name(length):
    return "".join(random.choice(string.ascii_lowercase) for _ in range(length)).encode("utf8")
