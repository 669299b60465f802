// A server that speaks MongoDB's protocol, for tests: MongoTestServer PORT [H2-FILE]
// Prints its port as the first line (0 asks for a free one), then serves until standard input closes: it never outlives its test.
import de.bwaldvogel.mongo.MongoBackend;
import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.ServerVersion;
import de.bwaldvogel.mongo.backend.AbstractMongoBackend;
import de.bwaldvogel.mongo.backend.h2.H2Backend;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;
import java.net.InetSocketAddress;

public class MongoTestServer {
  public static void main(String[] arguments) throws Exception {
    AbstractMongoBackend backend = arguments.length > 1 ? new H2Backend(arguments[1]) : new MemoryBackend();
    MongoServer server = new MongoServer(backend.version(ServerVersion.MONGO_5_0));
    server.bind(new InetSocketAddress("127.0.0.1", Integer.parseInt(arguments[0])));
    System.out.println(server.getLocalAddress().getPort());
    System.out.flush();
    while (System.in.read() >= 0) {
    }
    server.shutdownNow();
  }
}
