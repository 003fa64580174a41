/** A percent-encoded text as it is meant; one that is not encoded, or wrongly, as it is. */
export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
