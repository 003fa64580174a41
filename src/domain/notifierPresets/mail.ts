import { z } from 'zod'
import { answer, optionalAnswer, optionalSecret, type Preset } from './preset.ts'

const tlsPort = 465

export const mail: Preset = {
  id: 'mail',
  name: 'Mail (SMTP)',
  announced: 'notifiers',
  help: 'app.notifier_presets.mail.help',
  questions: {
    host: {
      answer: answer(),
      label: 'app.notifier_presets.mail.host',
    },
    port: {
      answer: z.int().min(1).max(65_535).default(tlsPort),
      label: 'app.notifier_presets.mail.port',
    },
    user: {
      answer: optionalAnswer(),
      label: 'app.notifier_presets.mail.user',
    },
    password: {
      answer: optionalSecret(),
      label: 'app.notifier_presets.mail.password',
    },
    from: {
      answer: answer(),
      label: 'app.notifier_presets.mail.from',
    },
    to: {
      answer: answer(),
      label: 'app.notifier_presets.mail.to',
      help: 'app.notifier_presets.mail.to_help',
    },
  },
  fill({ host, port, user = '', password = '', from = '', to = '' }) {
    const login = user === '' ? '' : `${encodeURIComponent(user)}:${encodeURIComponent(password)}@`
    const scheme = Number(port) === tlsPort ? 'smtps' : 'smtp'
    const query = new URLSearchParams({ from, to })
    // A mail has neither; the form hides them.
    const unused = { request_method: 1, request_type: 1, request_header: '', request_body: '' }
    return { url: `${scheme}://${login}${host}:${port}/?${query}`, ...unused }
  },
}
