// small_embind.js - replaces Embind's JavaScript. It supports only what we bind: functions, and
// classes without a base class. Arguments are numbers, Booleans, and texts or bytes for a
// std::string. Results are numbers, Booleans and texts. Embind's own JavaScript supports all types,
// and every page would download it.
//
// Emscripten converts the parameters that are addresses by their positions, so every function
// declares all of its parameters, also unused ones.

addToLibrary({
  // ------------------------------------------------------------------- types

  // For the address of a type, a function that converts a result of that type. Types without such a
  // function need no conversion.
  $embindReaders: {},

  _embind_register_void__deps: [],
  _embind_register_void: (_type, _name) => {},
  _embind_register_float__deps: [],
  _embind_register_float: (_type, _name, _size) => {},
  _embind_register_emval__deps: [],
  _embind_register_emval: (_type) => {},
  _embind_register_bigint__deps: [],
  _embind_register_bigint: (_type, _name, _size, _least, _most) => {},
  _embind_register_memory_view__deps: [],
  _embind_register_memory_view: (_type, _itemType, _name) => {},
  _embind_register_std_wstring__deps: [],
  _embind_register_std_wstring: (_type, _size, _name) => {},

  _embind_register_bool__deps: ['$embindReaders'],
  _embind_register_bool: (type, _name, _true, _false) => {
    embindReaders[type] = Boolean;
  },

  // WebAssembly returns only signed numbers.
  _embind_register_integer__deps: ['$embindReaders'],
  _embind_register_integer: (type, _name, _size, least, _most) => {
    if (least === 0) embindReaders[type] = (value) => value >>> 0;
  },

  _embind_register_std_string__deps: ['$embindReaders', '$textAt', 'free'],
  _embind_register_std_string: (type, _name) => {
    embindReaders[type] = (address) => {
      const text = textAt(address + 4, HEAPU32[address >>> 2]);
      _free(address);
      return text;
    };
  },

  // Emscripten's own decoder drops a U+FEFF at the start.
  $textDecoder: "new TextDecoder('utf-8', { ignoreBOM: true })",

  $textAt__deps: ['$textDecoder'],
  $textAt: (start, length) => {
    const first = start >>> 0;
    return textDecoder.decode(HEAPU8.subarray(first, first + length));
  },

  // A name ends with a zero.
  $nameAt__deps: ['$textAt'],
  $nameAt: (start) => {
    const first = start >>> 0;
    return textAt(first, HEAPU8.indexOf(0, first) - first);
  },

  // --------------------------------------------------------------- functions

  $embindTexts: [],

  // Converts an argument for WebAssembly. A text and bytes become the address of a copy.
  $embindArgument__deps: ['$embindTexts', 'malloc'],
  $embindArgument: (value) => {
    if (typeof value === 'string') value = new TextEncoder().encode(value);
    if (typeof value !== 'object') return value;
    const address = _malloc(4 + value.length) >>> 0;
    if (!address) throw new RangeError(`There is no memory for ${value.length} bytes.`);
    HEAPU32[address >>> 2] = value.length;
    HEAPU8.set(value, address + 4);
    embindTexts.push(address);
    return address;
  },

  // Returns a function that frees the copies of the arguments, and converts the result. `types` is
  // the address of the type of the result. That type may be registered later, but before the first
  // call.
  $embindReader__deps: ['$embindReaders', '$embindTexts', 'free'],
  $embindReader: (types) => {
    let read;
    return (result) => {
      while (embindTexts.length) _free(embindTexts.pop());
      read ??= embindReaders[HEAPU32[types >>> 2]] ?? ((value) => value);
      return read(result);
    };
  },

  $embindFunction__deps: ['$embindArgument', '$embindReader', '$wasmTable'],
  $embindFunction: (types, invoker, context) => {
    const call = wasmTable.get(invoker);
    const read = embindReader(types);
    return (...given) => read(call(context, ...given.map(embindArgument)));
  },

  _embind_register_function__deps: ['$embindFunction', '$nameAt'],
  _embind_register_function: (
    name,
    _count,
    types,
    _signature,
    invoker,
    context,
    _isAsync,
    _isNonnull,
  ) => {
    Module[nameAt(name)] = embindFunction(types, invoker, context);
  },

  // ----------------------------------------------------------------- classes

  // The classes, by the addresses of their types.
  $embindClasses: {},

  _embind_register_class__deps: ['$embindClasses', '$wasmTable', '$nameAt'],
  _embind_register_class: (
    type,
    _pointerType,
    _constPointerType,
    _baseType,
    _getTypeSignature,
    _getType,
    _upcastSignature,
    _upcast,
    _downcastSignature,
    _downcast,
    name,
    _destructorSignature,
    destructor,
  ) => {
    const destroy = wasmTable.get(destructor);
    const made =
      (Module[nameAt(name)] =
      embindClasses[type] =
        class {
          constructor(...given) {
            this.address = made.make(...given);
          }
          delete() {
            destroy(this.address);
          }
        });
  },

  _embind_register_class_constructor__deps: ['$embindClasses', '$embindFunction'],
  _embind_register_class_constructor: (type, _count, types, _signature, invoker, context) => {
    embindClasses[type].make = embindFunction(types, invoker, context);
  },

  // Takes at most three arguments: a rest parameter would take longer than most calls.
  _embind_register_class_function__deps: [
    '$embindClasses',
    '$embindArgument',
    '$embindReader',
    '$wasmTable',
    '$nameAt',
  ],
  _embind_register_class_function: (
    type,
    name,
    _count,
    types,
    _signature,
    invoker,
    context,
    _isPureVirtual,
    _isAsync,
    _isNonnull,
  ) => {
    const call = wasmTable.get(invoker);
    const read = embindReader(types);
    embindClasses[type].prototype[nameAt(name)] = function (first, second, third) {
      return read(
        call(
          context,
          this.address,
          embindArgument(first),
          embindArgument(second),
          embindArgument(third),
        ),
      );
    };
  },
});
