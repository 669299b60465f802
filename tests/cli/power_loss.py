"""Simulated power losses: what a disk may hold at each moment of a recorded run (tests/support/power_recorder.cc).

A write is on the disk for certain once its file was synced, and the name of a file once its folder was. What was not may be there or not: in
whole, in part, or as some of its sectors of 512 bytes.
"""
import os
import pathlib
import random
import struct

_HEAD = struct.Struct("<cQQII")
SECTOR = 512


def read_records(path):
    """(kind, number of the file, offset, path, second path or data)"""
    data = pathlib.Path(path).read_bytes()
    at = 0
    while at < len(data):
        kind, number, offset, path_bytes, data_bytes = _HEAD.unpack_from(data, at)
        at += _HEAD.size
        name = data[at:at + path_bytes].decode()
        at += path_bytes
        yield kind.decode(), number, offset, name, data[at:at + data_bytes]
        at += data_bytes


def _apply(content, change):
    kind, offset, data = change
    if kind == "t":
        del content[offset:]
        content.extend(b"\0" * (offset - len(content)))
        return
    if len(content) < offset:
        content.extend(b"\0" * (offset - len(content)))
    content[offset:offset + len(data)] = data


def _torn(change, choice):
    """The changes of some of the sectors of a write."""
    kind, offset, data = change
    if kind == "t":
        return [change] if choice.random() < 0.5 else []
    parts = []
    at = 0
    while at < len(data):
        end = min(len(data), (offset + at) // SECTOR * SECTOR + SECTOR - offset)
        if choice.random() < 0.5:
            parts.append((kind, offset + at, data[at:end]))
        at = end
    return parts


class Disk:
    """The certain contents, and what waits."""

    def __init__(self, root):
        self.root = str(root)
        self.contents = {}  # number -> bytearray
        self.waiting = {}  # number -> changes
        self.names = {}  # path -> number
        self.folders = set()
        self.waiting_names = []  # records
        self.live = {}  # path -> number, as the program sees it
        for folder, _, files in os.walk(root):
            self.folders.add(folder)
            for file in files:
                path = os.path.join(folder, file)
                number = os.stat(path).st_ino
                self.contents[number] = bytearray(pathlib.Path(path).read_bytes())
                self.names[path] = self.live[path] = number

    def record(self, kind, number, offset, path, data):
        if kind == "c":
            # The number of a removed file may come back.
            self.contents[number] = bytearray()
            self.waiting[number] = []
            self.live[path] = number
            self.waiting_names.append(("c", path, number))
        elif kind in "wt":
            self.waiting.setdefault(number, []).append((kind, offset, data))
        elif kind == "s":
            content = self.contents.setdefault(number, bytearray())
            for change in self.waiting.pop(number, []):
                _apply(content, change)
        elif kind == "d":
            left = []
            for waiting in self.waiting_names:
                if path in {os.path.dirname(waiting[1]), os.path.dirname(str(waiting[2]))}:
                    self._apply_name(self.names, self.folders, waiting)
                else:
                    left.append(waiting)
            self.waiting_names = left
        elif kind in "rxl":
            target = data.decode()
            change = (kind, path, target)
            self._apply_name(self.live, set(), change)
            self.waiting_names.append(change)
        elif kind in "ufm":
            self._apply_name(self.live, set(), (kind, path, ""))
            self.waiting_names.append((kind, path, ""))

    @staticmethod
    def _apply_name(names, folders, change):
        kind, path, target = change
        if kind == "c":
            names[path] = target
        elif kind == "r":
            for name in [name for name in names if name == path or name.startswith(path + "/")]:
                names[target + name[len(path):]] = names.pop(name)
        elif kind == "x":
            names[path], names[target] = names[target], names[path]
        elif kind == "l":
            names[target] = names[path]
        elif kind == "u":
            names.pop(path, None)
        elif kind == "m":
            folders.add(path)
        elif kind == "f":
            folders.discard(path)

    def after_loss(self, way, choice):
        """{path: bytes}, folders. Ways: 'certain': nothing that waited; 'all': everything; 'torn': some of it."""
        names, folders = dict(self.names), set(self.folders)
        for change in self.waiting_names:
            # The operations of one folder reach the disk in their order.
            if way == "certain" or (way == "torn" and choice.random() < 0.2):
                break
            try:
                self._apply_name(names, folders, change)
            except KeyError:
                break
        files = {}
        for path, number in names.items():
            content = bytearray(self.contents.get(number, b""))
            for change in self.waiting.get(number, []):
                if way == "all":
                    _apply(content, change)
                elif way == "torn":
                    for part in _torn(change, choice):
                        _apply(content, part)
            files[path] = bytes(content)
        return files, folders


def write_state(files, folders, root, target):
    """Makes the folder `target` what `root` was."""
    for folder in sorted(folders):
        os.makedirs(target + folder[len(root):], exist_ok=True)
    for path, content in files.items():
        place = target + path[len(root):]
        os.makedirs(os.path.dirname(place), exist_ok=True)
        pathlib.Path(place).write_bytes(content)


def seeded(*parts):
    return random.Random(":".join(map(str, parts)))
