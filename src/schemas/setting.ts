import { z } from 'zod'

/** `GET /setting`. What is in `config` depends on who asks; unknown keys are kept. */
export const setting = z.looseObject({
  config: z.looseObject({
    language: z.string().default('en-US'),
    site_name: z.string().default(''),
    custom_code_dashboard: z.string().optional(),
    oauth2_providers: z.array(z.string()).nullish(),
    install_host: z.string().optional(),
    tls: z.boolean().optional(),
  }),
  version: z.string().optional(),
  /** Said by the embedded server only. */
  wheelhouse: z
    .looseObject({
      /** The zone by whose clocks tasks run. */
      timezone: z.string().optional(),
    })
    .optional(),
})
export type Setting = z.output<typeof setting>
