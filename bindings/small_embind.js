// small_embind.js - replaces parts of Embind's glue by smaller ones.  We bind one class
// without a base class, held by plain pointers, and texts that are UTF-8 strings or bytes.
// The original parts also support smart pointers, inheritance and other encodings, which
// every page would download.

// EMBIND_AOT links once more to learn our types, not MODULARIZE then, and with
// another Embind.
if (MODULARIZE)
  addToLibrary({
    // ------------------------------------------------------------------- texts

    _embind_register_std_wstring: (_rawType, _charSize, _name) => {},

    $embindEncoder: 'new TextEncoder()',
    _embind_register_std_string__deps: [
      '$readLatin1String',
      '$registerType',
      '$readPointer',
      '$GenericWireTypeSize',
      '$UTF8Decoder',
      '$embindEncoder',
      'malloc',
      'free',
    ],
    _embind_register_std_string: (rawType, name) => {
      registerType(rawType, {
        name: readLatin1String(name),
        fromWireType(text) {
          const start = (text >>> 0) + 4;
          const bytes = HEAPU8.subarray(start, start + HEAPU32[text >>> 2]);
          const value = UTF8Decoder.decode(bytes);
          _free(text);
          return value;
        },
        toWireType(destructors, value) {
          const bytes = typeof value === 'string' ? embindEncoder.encode(value) : value;
          const text = _malloc(4 + bytes.length + 1) >>> 0;
          HEAPU32[text >>> 2] = bytes.length;
          HEAPU8.set(bytes, text + 4);
          destructors?.push(_free, text);
          return text;
        },
        argPackAdvance: GenericWireTypeSize,
        readValueFromPointer: readPointer,
        destructorFunction: (text) => _free(text),
      });
    },

    // --------------------------------------------------------------- functions

    // Function results that are addresses are unsigned numbers.
    $embind__requireFunction__deps: [],
    $embind__requireFunction: (_signature, rawFunction) => getWasmTableEntry(rawFunction),

    // ----------------------------------------------------------------- handles

    $RegisteredPointer_fromWireType__deps: ['$makeClassHandle'],
    $RegisteredPointer_fromWireType: function (ptr) {
      return makeClassHandle(this.registeredClass.instancePrototype, {
        ptrType: this,
        ptr,
      });
    },

    // For smart pointers, and pointers to a class with a base class.
    $genericPointerToWireType: () => {},

    $init_ClassHandle__deps: [
      '$ClassHandle',
      '$attachFinalizer',
      '$detachFinalizer',
      '$releaseClassHandle',
    ],
    $init_ClassHandle: () => {
      ClassHandle.prototype['delete'] = function () {
        detachFinalizer(this);
        releaseClassHandle(this.$$);
        this.$$.ptr = undefined;
      };
    },
  });
