import { z } from 'zod'

/** A front end that the server can show to visitors (`is_admin`: to administrators). */
const frontendTemplate = z.looseObject({
  path: z.string(),
  name: z.string().default(''),
  repository: z.string().default(''),
  author: z.string().default(''),
  version: z.string().optional(),
  is_admin: z.boolean().optional(),
  is_official: z.boolean().optional(),
})
export type FrontendTemplate = z.output<typeof frontendTemplate>

/** Whether the embedded server has something: absent for no. Once, as the list of servers waits for all of them. */
const has = z.boolean().optional()

/** `GET /setting`. What is in `config` depends on who asks; unknown keys are kept. */
export const setting = z.looseObject({
  config: z.looseObject({
    language: z.string().default('en-US'),
    site_name: z.string().default(''),
    custom_code_dashboard: z.string().optional(),
    oauth2_providers: z.array(z.string()).nullish(),
    install_host: z.string().optional(),
    tls: z.boolean().optional(),
    /** Only the embedded server knows it. */
    hide_password_form: z.boolean().optional(),
    /** The same; administrators see it. */
    session_binding: z.int().optional(),
  }),
  version: z.string().optional(),
  frontend_templates: z.array(frontendTemplate).nullish(),
  /** Absent on servers before v2.0.0. */
  tsdb_enabled: z.boolean().optional(),
  /** Sent by the embedded server only. */
  wheelhouse: z
    .looseObject({
      /** The zone by whose clocks tasks run. */
      timezone: z.string().optional(),
      /** Bytes of terminal output that the server sends before it waits for an acknowledgement. */
      terminal_flow: z.int().optional(),
      /** Minutes for which it holds the shell of a terminal whose browser has gone. */
      terminal_hold: z.int().optional(),
      /** How many days charts reach back, where that is more than a month. */
      history_days: z.int().optional(),
      /** Whether it announces when the data of an upload may be sent, to clients that ask for it. */
      upload_ready: has,
      /** Whether it lists and ends the sessions of a user, and invalidates the token on sign-out. */
      sessions: has,
      /** Whether people can set up a second factor. */
      second_factor: has,
      /** Whether a sign-in may begin with a passkey; sent to everybody. */
      passkeys: has,
      /** Whether it has an alarm history. */
      alarms: has,
      /** Whether it returns the last hour of many servers in one call. */
      last_hour: has,
      /** Whether it has `/ws/wheelhouse/servers`. */
      server_changes: has,
      /** Whether it says what an alert rule would have done in the last days. */
      backtest: has,
      /** Whether services can have a `check`, and it tries them. */
      checks: has,
      /** Whether it keeps the outages of services. */
      outages: has,
      /** Whether it sums up what was wrong in the last 24 hours. */
      recent_trouble: has,
      /** Whether it has a delivery log. */
      deliveries: has,
      /** Whether it updates DDNS records itself and returns their state. */
      ddns: has,
      /** Whether accounts can be disabled, and people invited. */
      people: has,
      /** Whether people can have further roles. */
      roles: has,
      /** Whether records can belong to a team, for whoever is in one, or is an administrator where there are some. */
      teams: has,
      /** Whether it counts the records of a user, and moves them to another user. */
      user_records: has,
      /** Whether names of members in NAT profiles are served only after an administrator has released them. */
      nat_release: has,
      /** Whether it has API tokens. */
      api_tokens: has,
      /** Whether it moves servers to other users. */
      transfers: has,
      /** Whether it tests stored notifiers, tells owners their address, and sends mail. */
      notifiers: has,
      /** Whether it shows what a notifier would send. */
      notifier_preview: has,
      /** Whether stored secrets of a record are kept only while they go to the same receiver. */
      bound_secrets: has,
      /** Whether it tells which secrets of records are set. */
      stored_secrets: has,
      /** Whether a save can clear stored secrets. */
      clear_secrets: has,
      /** Whether notifiers can get events as JSON. */
      webhooks: has,
      /** Whether it keeps the runs of tasks. */
      task_runs: has,
      /** Whether it takes over the data of other products; sent to administrators. */
      imports: has,
      /** Whether it records who changed what. */
      changes: has,
      /** Whether it tells administrators how it was started, for the security page. */
      security_facts: has,
      /** Whether it shares its database with other servers, one of which leads. */
      cluster: has,
      /** Whether the list of blocked addresses can be searched. */
      waf_search: has,
      /** Whether servers can be shared with members. */
      server_shares: has,
      /** Whether it puts together what went wrong. */
      incidents: has,
      /** Whether servers have contracts, and it counts their traffic. */
      contracts: has,
      /** Whether it has escalation plans and rotas. */
      escalations: has,
      /** Whether it has maintenance windows and mutes. */
      maintenance: has,
      /** Whether it shows what goes on in a machine: processes, containers, units and more. */
      inspect: has,
      /** Whether programs can use the Model Context Protocol now. */
      mcp: has,
      /** Whether agents connect to it, and it lists those that it turns away. */
      agents: has,
      /**
       * What people should look at: `unheard_proxy`, `backup_failed`, `restarted` and `overloaded` for administrators,
       * `disk_full`, `database_busy` and `database_away` for everybody.
       */
      warnings: z.array(z.string()).optional(),
      /** The settings that it acts on; the others it keeps. */
      settings_in_use: z.array(z.string()).optional(),
      /** Whether it tells which address it would see behind a header. */
      tells_address: has,
    })
    .optional(),
})
export type Setting = z.output<typeof setting>
