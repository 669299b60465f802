"""MongoCase: what the tests of MongoDB share: a server, a database of their own that is dropped at the end, and URIs of its collections."""
import os
import uuid

import mongo_server
import needs
from harness import CliTest


class MongoCase(CliTest):
    @classmethod
    def setUpClass(cls):
        needs.stop_if(mongo_server.unavailable())
        import pymongo
        given = os.environ.get("NEARDUP_MONGODB_URI")
        cls.server = None if given else mongo_server.MongoServer()
        cls.base = given or cls.server.uri
        cls.client = pymongo.MongoClient(cls.base, serverSelectionTimeoutMS=10000)
        cls.database = f"neardup_test_{uuid.uuid4().hex[:12]}"
        cls.db = cls.client[cls.database]

    @classmethod
    def tearDownClass(cls):
        cls.client.drop_database(cls.database)
        cls.client.close()
        if cls.server:
            cls.server.stop()

    def setUp(self):
        super().setUp()
        for name in self.db.list_collection_names():
            self.db.drop_collection(name)

    def uri(self, collection, options=""):
        base, _, query = self.base.partition("?")
        query = "&".join(part for part in (query, options) if part)
        return f"{base.rstrip('/')}/{self.database}.{collection}" + (f"?{query}" if query else "")

    def all(self, collection):
        """The documents as the server stored them, by _id."""
        return list(self.db[collection].find().sort("_id", 1))

    def ids(self, collection):
        return [document["_id"] for document in self.all(collection)]

    def collections(self):
        return sorted(self.db.list_collection_names())
