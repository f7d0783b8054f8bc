// xml_reader.h - elements and texts of an XML document, one after another.
//
// As much of XML 1.0 as the service's documents need: attributes, comments and
// processing instructions are passed over, CDATA and DOCTYPE are refused, and
// with that every entity but the five that XML has.

#ifndef ENTITABLE_PROTOCOL_XML_READER_H_
#define ENTITABLE_PROTOCOL_XML_READER_H_

#include <cstdint>
#include <string>
#include <string_view>

namespace entitable {

class XmlReader {
 public:
  enum class Found : std::uint8_t {
    kStart,  // Of an element; one without content is ended next.
    kText,   // What stands between two tags, maybe in several pieces.
    kEnd,
    kNothing,  // The document has ended.
    kFault,    // What follows is no XML.
  };

  // The document must be UTF-8, and outlive this.
  explicit XmlReader(std::string_view document);

  Found Next();

  // Of the element that was found to start or end.
  std::string_view name() const { return name_; }

  // What was found, with its entities decoded.
  const std::string& text() const { return text_; }

 private:
  Found TakeTag();
  Found TakeStart();
  Found TakeText();
  bool Skip(std::string_view start, std::string_view end);
  bool AppendEntity();

  std::string_view rest_;
  std::string_view name_;
  std::string text_;
  bool is_empty_ = false;  // The element that was found has no content.
};

}  // namespace entitable

#endif  // ENTITABLE_PROTOCOL_XML_READER_H_
