/** Bytes of the key: what Standard Webhooks asks for. */
export const keyBytes = { min: 24, max: 64, generated: 32 } as const

const prefix = 'whsec_'

/** A text of this form: `whsec_` and 24 to 64 bytes in base64, which receivers decode to get the key. */
export function isSigningSecret(text: string): boolean {
  return signingKey(text) !== undefined
}

/** The key in a signing secret. @returns `undefined` when the text is not one */
export function signingKey(text: string): Uint8Array<ArrayBuffer> | undefined {
  const [, base64] = /^whsec_((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)$/.exec(text) ?? []
  if (!base64) return undefined
  const key = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  return key.length >= keyBytes.min && key.length <= keyBytes.max ? key : undefined
}

/** A new secret. */
export function newSigningSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(keyBytes.generated))
  return prefix + btoa(String.fromCharCode(...bytes))
}
