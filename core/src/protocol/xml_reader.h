// xml_reader.h - reads the elements and texts of an XML document one by one.
//
// Supports the part of XML 1.0 that the service's documents need.  Attributes,
// comments and processing instructions are ignored.  CDATA and DOCTYPE are
// rejected, and with DOCTYPE all entities except XML's own five.
//
// It keeps no tree, and no list of open elements: who uses it checks that each
// end belongs to its start.  Entities cannot be declared, so no text grows
// while it is decoded.

#ifndef ENTITABLE_PROTOCOL_XML_READER_H_
#define ENTITABLE_PROTOCOL_XML_READER_H_

#include <cstdint>
#include <string>
#include <string_view>

namespace entitable {

class XmlReader {
 public:
  enum class Found : std::uint8_t {
    // The start of an element.  An empty element also gets a kEnd next.
    kStart,
    kText,  // The text between two tags, possibly in several pieces.
    kEnd,
    kNothing,  // The end of the document.
    kFault,    // Invalid XML.
  };

  // The document must be UTF-8 and must outlive the reader.
  explicit XmlReader(std::string_view document);

  Found Next();

  // The name of the element that starts or ends.
  std::string_view name() const { return name_; }

  // The text, with entities decoded.
  const std::string& text() const { return text_; }

 private:
  Found ReadTag();
  Found ReadStart();
  Found ReadText();
  bool Skip(std::string_view start, std::string_view end);
  bool AppendEntity();

  std::string_view rest_;
  std::string_view name_;
  std::string text_;
  bool is_empty_ = false;  // The current element is empty.
};

}  // namespace entitable

#endif  // ENTITABLE_PROTOCOL_XML_READER_H_
