import { z } from 'zod'
import { defineEntity } from '../../../src/schemas/define/entity.ts'
import {
  choice,
  flag,
  idSet,
  jsonText,
  multiline,
  name,
  ref,
  refs,
  secret,
} from '../../../src/schemas/define/fields.ts'

/** An entity with a field of every kind. */
export const lamp = defineEntity({
  name: 'lamp',
  form: z.object({
    name: name(),
    watts: z.int().min(5).max(100).default(40),
    voltage: z.number().optional(),
    lit: flag(true),
    socket: choice({ 0: 'screw', 1: 'pin' }).default(0),
    room: ref('room'),
    switches: refs('switch').default([]),
    dimmed_in: idSet('room').optional(),
    tags: z.array(z.string()).default([]),
    colours: jsonText(z.array(z.string()).optional()).optional(),
    manual: z
      .url({ protocol: /^https?$/ })
      .or(z.literal(''))
      .optional(),
    pin: secret().optional(),
    note: multiline().optional(),
    label: z.string().min(2).max(5).optional(),
    on_at: z.iso.time(),
  }),
  computed: z.object({ bought_at: z.iso.datetime().nullish() }),
})

/** A lamp with nothing wrong, as a form holds it. */
export const goodLamp = {
  name: 'desk',
  watts: 40,
  lit: true,
  socket: 0,
  room: 1,
  switches: [],
  tags: [],
  on_at: '18:30',
}
