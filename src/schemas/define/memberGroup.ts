import { z } from 'zod'
import { stamps } from './entity.ts'

const group = z.looseObject({ ...stamps.shape, name: z.string() })
const plain = z.looseObject({ group })
const ids = z.array(z.int()).nullish()

/**
 * The codec of a group and its members: `{ group: { id, name, ... }, servers: [ids] }` on the wire, one flat record
 * everywhere else. Unknown keys are kept; a group without members has `null`, as servers write it.
 *
 * @param members the key that holds the ids, such as `servers`
 */
export function memberGroup(members: string) {
  // The compiler cannot follow a key that is known at run time only.
  const wrapped = plain.extend({ [members]: ids }) as unknown as typeof plain
  return z.codec(wrapped, group, {
    decode: ({ group, ...outside }) => ({ ...outside, ...group }),
    encode: ({ [members]: chosen, ...rest }) => ({
      group: rest as z.output<typeof group>,
      [members]: Array.isArray(chosen) && chosen.length > 0 ? chosen : null,
    }),
  })
}
