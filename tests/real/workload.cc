/* workload.cc: most of what pugixml does: documents are built, written, parsed in several
   ways, and searched; what is wrong in one is an exception.  */

#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "pugixml.hpp"

template <typename Value> static void
add (pugi::xml_node node, const char *name, Value value)
{
  node.append_child (name).text ().set (value);
  node.append_attribute (name).set_value (value);
}

static std::string
make (int n)
{
  pugi::xml_document doc;
  pugi::xml_node root = doc.append_child ("library");
  for (int i = 0; i < n; i++)
    {
      pugi::xml_node book = root.append_child (i % 3 ? "book" : "journal");
      add (book, "id", i);
      add (book, "price", i * 0.75);
      add (book, "title", ("A & B <" + std::to_string (i * 7919 % 1000) + ">").c_str ());
      if (i % 5 == 0)
	book.append_child (pugi::node_cdata).set_value ("<raw>");
      if (i % 7 == 0)
	book.append_child (pugi::node_comment).set_value ("seven");
    }
  std::ostringstream out;
  doc.save (out, " ", pugi::format_default, pugi::encoding_utf8);
  return out.str ();
}

struct counter : pugi::xml_tree_walker
{
  std::map<std::string, int> names;
  bool
  for_each (pugi::xml_node &node) override
  {
    names[node.name ()]++;
    return true;
  }
};

static void
search (const pugi::xml_document &doc)
{
  static const char *const queries[] = {
    "/library/book[@id mod 4 = 1]", "//title[contains(., '99')]",
    "//book[price > 20 and position() < 30]/following-sibling::*[1]",
    "//*[starts-with(name(), 'j')]/comment()", "/library/*[last()]/@*" };
  for (const char *query : queries)
    {
      pugi::xpath_node_set nodes = doc.select_nodes (query);
      nodes.sort (true);
      std::cout << query << ' ' << nodes.size () << '\n';
    }
  pugi::xpath_query sum ("sum(//price) div count(//book) * string-length(translate"
			 "(normalize-space(' a  b '), 'ab', 'xy'))");
  std::cout << sum.evaluate_number (doc) << '\n';
  try
    {
      doc.select_nodes ("//book[");
    }
  catch (const pugi::xpath_exception &e)
    {
      std::cout << e.what () << '\n';
    }
}

int
main (int argc, char **argv)
{
  std::string text = make (argc > 1 ? std::stoi (argv[1]) : 100);
  const unsigned ways[] = { pugi::parse_default, pugi::parse_minimal, pugi::parse_full,
			    pugi::parse_default | pugi::parse_trim_pcdata };
  for (unsigned way : ways)
    {
      pugi::xml_document doc;
      pugi::xml_parse_result result = doc.load_string (text.c_str (), way);
      counter walker;
      doc.traverse (walker);
      std::cout << result.description () << ' ' << walker.names["price"] << '\n';
      search (doc);
    }
  pugi::xml_document bad;
  std::cout << bad.load_string ("<a><b></a>").description () << '\n';
  return 0;
}
