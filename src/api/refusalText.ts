import { fieldsIn } from '../schemas/define/values.ts'

/** The words of a server that refuses where it would send content; `undefined` where it gives none. */
export async function refusalText(reply: Response): Promise<string | undefined> {
  const { error } = fieldsIn(await reply.json().catch(() => ({})))
  return typeof error === 'string' ? error : undefined
}
