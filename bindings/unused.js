// unused.js - what Embind would bring along, and no page need download.

addToLibrary({
  // Text crosses as UTF-8.
  _embind_register_std_wstring: () => {},
});
