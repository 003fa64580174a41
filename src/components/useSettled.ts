import { useEffect, useState } from 'react'

/** A text once it has not changed for a while: each letter would be a question to a machine. @param pauseMs milliseconds */
export function useSettled(text: string, pauseMs: number): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), pauseMs)
    return () => clearTimeout(timer)
  }, [text, pauseMs])
  return settled
}
