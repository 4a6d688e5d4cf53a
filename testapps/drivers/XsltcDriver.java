import javax.xml.transform.TransformerFactory;

/** Eight threads transform with the JDK's own XSLT compiler (XSLTC); needs no jar. */
public final class XsltcDriver {
    private XsltcDriver() {}

    public static void main(String[] args) throws Exception {
        Load.run(args, 8, Transforming.with(TransformerFactory.newInstance()));
    }
}
