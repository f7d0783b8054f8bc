'use client';

import { useEffect } from 'react';

import { usePackage as runProgram } from '../../program.js';

// In development, React runs effects twice.
let result;

export default function Page() {
  useEffect(() => {
    result ??= runProgram();
    result.then(
      (text) => (document.title = text),
      (error) => (document.title = `${error}`),
    );
  }, []);
  return <title>waiting</title>;
}
