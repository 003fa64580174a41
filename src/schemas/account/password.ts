import { z } from 'zod'

/** A new password: at least so many characters, and at most so many UTF-8 bytes, which is a limit of servers. */
export const passwordLimits = { minLength: 8, maxBytes: 72 } as const

export const passwordBytes = (text: string) => new TextEncoder().encode(text).length

/** A new password, within `passwordLimits`. */
export const newPassword = () =>
  z
    .string()
    .min(passwordLimits.minLength)
    .max(passwordLimits.maxBytes)
    .refine((text) => passwordBytes(text) <= passwordLimits.maxBytes, {
      params: { key: 'validation.max_length', max: passwordLimits.maxBytes },
    })
