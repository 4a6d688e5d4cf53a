import java.util.List;
import org.apache.commons.pool.BasePoolableObjectFactory;
import org.apache.commons.pool.KeyedObjectPool;
import org.apache.commons.pool.BaseKeyedPoolableObjectFactory;
import org.apache.commons.pool.ObjectPool;
import org.apache.commons.pool.impl.GenericKeyedObjectPool;
import org.apache.commons.pool.impl.GenericObjectPool;
import org.apache.commons.pool.impl.StackObjectPool;

/** commons-pool 1.x: borrowers of pools that are too small for them. Raw types, for 1.3 has no generics. */
@SuppressWarnings({"rawtypes", "unchecked"})
final class PoolUse {
    private static final int ACTIVE = 3;

    private PoolUse() {}

    static void addTo(List<Load.Task> threads) {
        ObjectPool blocking = new GenericObjectPool(new BasePoolableObjectFactory() {
            @Override
            public Object makeObject() {
                return new StringBuilder();
            }
        }, ACTIVE);
        KeyedObjectPool keyed = new GenericKeyedObjectPool(new BaseKeyedPoolableObjectFactory() {
            @Override
            public Object makeObject(Object key) {
                return new StringBuilder();
            }
        }, ACTIVE);
        ObjectPool growing = new StackObjectPool(new BasePoolableObjectFactory() {
            @Override
            public Object makeObject() {
                return new StringBuilder();
            }
        });
        for (int i = 0; i < 5; i++) {
            String key = "host" + i % 2;
            threads.add(() -> use(blocking));
            threads.add(() -> use(growing));
            threads.add(() -> useKeyed(keyed, "shared"));
            threads.add(() -> useKeyed(keyed, key));
        }
    }

    private static void use(ObjectPool pool) throws Exception {
        Object borrowed = pool.borrowObject();
        LibrariesDriver.work();
        pool.returnObject(borrowed);
        LibrariesDriver.rest();
    }

    private static void useKeyed(KeyedObjectPool pool, Object key) throws Exception {
        Object borrowed = pool.borrowObject(key);
        LibrariesDriver.work();
        pool.returnObject(key, borrowed);
        LibrariesDriver.rest();
    }
}
