import java.io.StringReader;
import java.io.StringWriter;
import javax.xml.transform.Templates;
import javax.xml.transform.TransformerFactory;
import javax.xml.transform.stream.StreamResult;
import javax.xml.transform.stream.StreamSource;

/** The load of both XSLT drivers: threads that share one compiled stylesheet and render small orders. */
final class Transforming {
    private static final int ITEMS = 12;

    private static final String STYLESHEET =
            "<xsl:stylesheet version='1.0' xmlns:xsl='http://www.w3.org/1999/XSL/Transform'>"
                    + "<xsl:output method='html' indent='no'/>"
                    + "<xsl:key name='by-kind' match='item' use='@kind'/>"
                    + "<xsl:template match='/order'>"
                    + "<html><body><h1>Order <xsl:value-of select='@id'/></h1><table>"
                    + "<xsl:apply-templates select='item'><xsl:sort select='@price' data-type='number'/></xsl:apply-templates>"
                    + "</table><p>Total: <xsl:value-of select='sum(item/@price)'/></p>"
                    + "<p>Tools: <xsl:value-of select=\"count(key('by-kind','tool'))\"/></p>"
                    + "<xsl:for-each select='item[position() mod 3 = 0]/note'><p><xsl:value-of select='.'/></p></xsl:for-each>"
                    + "</body></html></xsl:template>"
                    + "<xsl:template match=\"item[@kind='tool']\"><tr class='tool'><xsl:call-template name='cells'/></tr></xsl:template>"
                    + "<xsl:template match='item'><tr><xsl:call-template name='cells'/></tr></xsl:template>"
                    + "<xsl:template name='cells'><td><xsl:value-of select='concat(@name, \" \", ../@id)'/></td>"
                    + "<td><xsl:value-of select=\"format-number(@price,'#,##0.00')\"/></td>"
                    + "<td><xsl:value-of select='count(preceding-sibling::item)'/></td></xsl:template>"
                    + "</xsl:stylesheet>";

    private Transforming() {}

    /** A client per thread, all of which take their transformers from the same templates. */
    static Load.Client with(TransformerFactory factory) throws Exception {
        Templates shared = factory.newTemplates(new StreamSource(new StringReader(STYLESHEET)));
        return thread -> {
            String order = order(thread);
            return () -> render(shared, order);
        };
    }

    private static void render(Templates templates, String order) throws Exception {
        StringWriter page = new StringWriter();
        templates.newTransformer().transform(new StreamSource(new StringReader(order)), new StreamResult(page));
        if (!page.toString().contains("Total: 858")) {
            throw new IllegalStateException("wrong page: " + page);
        }
    }

    private static String order(int id) {
        StringBuilder xml = new StringBuilder("<order id='" + id + "'>");
        for (int i = 0; i < ITEMS; i++) {
            xml.append("<item kind='").append(i % 2 == 0 ? "tool" : "part").append("' name='n").append(i)
                    .append("' price='").append(i * 13).append("'><note>row ").append(i).append("</note></item>");
        }
        return xml.append("</order>").toString();
    }
}
