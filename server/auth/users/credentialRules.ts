import { passwordBytes, passwordLimits } from '../../../src/schemas/account/password.ts'
import { comparedName, isVisibleName, usernameLength } from '../../../src/schemas/account/username.ts'
import type { ResidentTable } from '../../db/table.ts'
import { ApiError } from '../../wire/apiCall.ts'
import type { User } from './users.ts'

/** What every new password has to meet, whoever chooses it. @throws ApiError that says what to do */
export function checkNewPassword(password: string): void {
  if (password === '') throw new ApiError("password can't be empty")
  if (password.length < passwordLimits.minLength) {
    throw new ApiError(`the new password is too short: it needs at least ${passwordLimits.minLength} characters`)
  }
  if (passwordBytes(password) > passwordLimits.maxBytes) {
    throw new ApiError(`bcrypt: password length exceeds ${passwordLimits.maxBytes} bytes`)
  }
}

/**
 * What every new name of a user has to meet: with another one nobody could sign in on the form, or it could be taken for
 * somebody else's. @throws ApiError that says what to do
 */
export function checkUsername(name: string): void {
  if (name === '') throw new ApiError("username can't be empty")
  if (name.length < usernameLength.min || name.length > usernameLength.max) {
    throw new ApiError(`the username needs ${usernameLength.min} to ${usernameLength.max} characters`)
  }
  if (name !== name.trim()) throw new ApiError('the username must not begin or end with a space')
  if (!isVisibleName(name)) throw new ApiError('the username has characters that cannot be seen: remove them')
}

/**
 * A name that another one could be taken for is as good as taken: in logs, lists and shares people read names. Users who
 * have such names already keep them, and everybody signs in with the name letter by letter.
 * @param own the user who takes the name
 * @throws ApiError that says what to do
 */
export function checkNoLookAlike(users: ResidentTable<User>, name: string, own?: User): void {
  if (name === own?.username) return
  const compared = comparedName(name)
  const other = users.all().find((user) => user.id !== own?.id && comparedName(user.username) === compared)
  if (other) throw new ApiError(`the username looks like "${other.username}", which somebody has: choose another one`)
}
