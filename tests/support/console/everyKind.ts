import { z } from 'zod'
import { defineEntity } from '../../../src/schemas/define/entity.ts'
import {
  choice,
  flag,
  idSet,
  jsonText,
  moment,
  multiline,
  name,
  ref,
  refs,
  secret,
} from '../../../src/schemas/define/fields.ts'

/** An entity with a field of every kind. */
export const everyKind = defineEntity({
  name: 'every-kind',
  form: z.object({
    name: name(),
    integer: z.int().min(5).max(100).default(40),
    decimal: z.number().optional(),
    flag: flag(true),
    choice: choice({ 0: 'first', 1: 'second' }).default(0),
    ref: ref('server'),
    refs: refs('user').default([]),
    id_set: idSet('server').optional(),
    list: z.array(z.string()).default([]),
    json: jsonText(z.array(z.string()).optional()).optional(),
    url: z
      .url({ protocol: /^https?$/ })
      .or(z.literal(''))
      .optional(),
    secret: secret().optional(),
    multiline: multiline().optional(),
    short_text: z.string().min(2).max(5).optional(),
    time_of_day: z.iso.time(),
    moment: moment().optional(),
  }),
  computed: z.object({ computed_moment: moment().nullish() }),
})

/** Valid values of its form. */
export const validValues = {
  name: 'desk',
  integer: 40,
  flag: true,
  choice: 0,
  ref: 1,
  refs: [],
  list: [],
  time_of_day: '18:30',
}
