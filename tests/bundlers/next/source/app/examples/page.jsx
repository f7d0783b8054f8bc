'use client';

import { useEffect } from 'react';

// From the documentation; the test puts them there.
import { Tables } from '../../tables.jsx';
import { Tasks } from '../../tasks.jsx';

// Presses the button once, as a user does. The title is what is shown then.
export default function Page() {
  useEffect(() => {
    let isPressed = false;
    const observer = new MutationObserver(() => {
      const text = document.querySelector('p')?.textContent;
      if (text === '0 tasks' && !isPressed) {
        isPressed = true;
        document.querySelector('button').click();
      }
      if (text === '1 tasks') document.title = text;
    });
    observer.observe(document.body, { subtree: true, childList: true, characterData: true });
    return () => observer.disconnect();
  }, []);
  return (
    <>
      <title>waiting</title>
      <Tables />
      <Tasks />
    </>
  );
}
