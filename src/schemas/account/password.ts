import { z } from 'zod'

/** Servers count a password's bytes, and take no more than these. */
const longest = 72
const bytes = (text: string) => new TextEncoder().encode(text).length

/** A password somebody is going to sign in with: at least 8 characters, at most 72 bytes. */
export const newPassword = () =>
  z
    .string()
    .min(8)
    .refine((text) => bytes(text) <= longest, { params: { key: 'validation.max_length', max: longest } })
