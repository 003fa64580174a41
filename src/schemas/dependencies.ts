import { facts, refs } from './define/fields.ts'

/**
 * What a server or service stands on: while one of these is down, its own trouble is a consequence. Embedded server
 * only.
 */
export const dependencies = () => ({ depends_on: parents('server'), depends_on_services: parents('service') })

/** Of each kind. A limit, because whole forms have one; nothing stands on more than a few. */
const maxParents = 1_000

const parents = (to: 'server' | 'service') =>
  refs(to, { unknown: 'accepted' })
    .max(maxParents)
    .register(facts, { kind: 'refs', to, unknown: 'accepted', newer: true, announced: 'incidents', leftOut: 'kept' })
    .optional()
