import type { SignInTestResult } from '../../../src/schemas/endpoints/signInProviderEndpoints.ts'
import { DirectoryError } from './connection.ts'
import { type Directory, testDirectory } from './directory.ts'

/** What a directory says when it is asked for everybody, in the terms of its protocol. */
export async function testLdap(directory: Directory): Promise<SignInTestResult> {
  try {
    const found = await testDirectory(directory)
    const answers = Object.entries(found).map(([name, { found, more }]) => ({
      name,
      value: more ? `> ${found}` : String(found),
    }))
    return { answers: [{ name: 'connection', value: directory.start_tls ? 'StartTLS' : directory.url }, ...answers] }
  } catch (error) {
    if (error instanceof DirectoryError) return { failure: error.message, answers: [] }
    throw error
  }
}
