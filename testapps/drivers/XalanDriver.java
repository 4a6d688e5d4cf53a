import javax.xml.transform.TransformerFactory;

/** Eight threads transform with Xalan's interpreter; needs the jars of {@code fetch xalan}. */
public final class XalanDriver {
    private XalanDriver() {}

    public static void main(String[] args) throws Exception {
        nameFactories();
        ClassLoader loader = XalanDriver.class.getClassLoader();
        String interpreter = "org.apache.xalan.processor.TransformerFactoryImpl";
        Load.run(args, 8, Transforming.with(TransformerFactory.newInstance(interpreter, loader)));
    }

    /** Spares every transformation the search of all jars for its factories, as servers are told to. */
    private static void nameFactories() {
        System.setProperty("org.apache.xml.dtm.DTMManager", "org.apache.xml.dtm.ref.DTMManagerDefault");
        System.setProperty("javax.xml.parsers.SAXParserFactory", "com.sun.org.apache.xerces.internal.jaxp.SAXParserFactoryImpl");
        System.setProperty("org.xml.sax.driver", "com.sun.org.apache.xerces.internal.parsers.SAXParser");
    }
}
