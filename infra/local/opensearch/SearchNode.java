import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.opensearch.analysis.common.CommonAnalysisPlugin;
import org.opensearch.common.settings.Settings;
import org.opensearch.index.reindex.ReindexPlugin;
import org.opensearch.knn.plugin.KNNPlugin;
import org.opensearch.node.InternalSettingsPreparer;
import org.opensearch.node.Node;
import org.opensearch.painless.PainlessPlugin;
import org.opensearch.plugins.Plugin;
import org.opensearch.transport.Netty4Plugin;

/**
 * One OpenSearch node with k-NN on the loopback interface, without authentication.
 *
 * <p>Arguments: the folder that keeps its data, the HTTP port, the transport port. Java runs this
 * file as it is; the class path has the jars that pom.xml collects. SIGTERM stops the node cleanly.
 */
public final class SearchNode extends Node {
  private static final List<Class<? extends Plugin>> PLUGINS =
      List.of(
          Netty4Plugin.class,
          CommonAnalysisPlugin.class,
          PainlessPlugin.class,
          ReindexPlugin.class,
          KNNPlugin.class);

  private SearchNode(Settings settings) {
    super(
        InternalSettingsPreparer.prepareEnvironment(settings, Map.of(), null, () -> "local"),
        PLUGINS,
        true);
  }

  public static void main(String[] arguments) throws Exception {
    Settings settings =
        Settings.builder()
            .put("path.home", arguments[0])
            .put("cluster.name", "omoide-local")
            .put("discovery.type", "single-node")
            .put("network.host", "127.0.0.1")
            .put("http.port", arguments[1])
            .put("transport.port", arguments[2])
            .put("transport.type", "netty4")
            .put("http.type", "netty4")
            .put("action.auto_create_index", "false")
            .put("cluster.routing.allocation.disk.threshold_enabled", "false")
            .build();
    SearchNode node = new SearchNode(settings);
    Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(node)));
    node.start();
    new CountDownLatch(1).await();
  }

  private static void stop(SearchNode node) {
    try {
      node.close();
    } catch (Exception problem) {
      problem.printStackTrace();
    }
  }
}
