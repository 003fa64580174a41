import { isAdmin } from '../../person.ts'
import { defineTool } from './defineTool.ts'
import { array, integer, object, text } from './outputSchema.ts'
import type { Tool } from './tool.ts'

/** Whose token it is, and what it may do. */
export const whoami: Tool = defineTool({
  name: 'meta.whoami',
  description: 'Shows whose token this is, its scopes, and the servers that it is limited to, if it is.',
  input: {},
  outputSchema: object(
    {
      user_id: integer,
      is_admin: { type: 'boolean' },
      token_id: integer,
      token_name: text,
      scopes: array(text),
      server_ids: array(integer),
    },
    ['user_id', 'is_admin', 'token_id', 'scopes'],
  ),
  run: (_args, { caller: { person } }) => ({
    user_id: person.id,
    is_admin: isAdmin({ ...person, token: undefined }),
    token_id: person.token.id,
    token_name: person.token.name,
    scopes: person.token.scopes,
    ...(person.token.servers && { server_ids: [...person.token.servers] }),
  }),
})
