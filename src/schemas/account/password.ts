import { z } from 'zod'

/** Servers limit the UTF-8 bytes of a password. */
const maxBytes = 72
const byteLength = (text: string) => new TextEncoder().encode(text).length

/** A new password: at least 8 characters, at most 72 bytes. */
export const newPassword = () =>
  z
    .string()
    .min(8)
    .refine((text) => byteLength(text) <= maxBytes, { params: { key: 'validation.max_length', max: maxBytes } })
