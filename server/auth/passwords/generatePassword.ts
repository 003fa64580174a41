import { randomInt } from 'node:crypto'

/** Letters and digits that are not mistaken for one another. */
const alphabet = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'

/** A password of 20 characters, about 116 bits. */
export const generatePassword = () => Array.from({ length: 20 }, () => alphabet[randomInt(alphabet.length)]).join('')
