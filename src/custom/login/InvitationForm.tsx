import { type FormEvent, useEffect, useRef, useState } from 'react'
import { fillText } from '../../../i18n/fillText.ts'
import type { Locale } from '../../../i18n/locales.ts'
import { type SignInTexts, signInTexts } from '../../../i18n/signInTexts.ts'
import { Field } from '../../components/proof/Field.tsx'
import { fieldsIn } from '../../schemas/define/values.ts'
import { invitationEnded, usernameTaken } from '../../schemas/define/wireNames.ts'

/** Characters. The server has the last word. */
const shortest = { username: 2, password: 8 } as const

interface InvitationFormProps {
  texts: SignInTexts['login']
  locale: Locale
  /** The site, as the page names it. */
  site: string
  token: string
  /** Posts to the server; a refusal resolves with its text. */
  post: (path: string, body: object) => Promise<{ data: unknown } | { words: string }>
  /** Called after the account was made and the session is open. Resolves with the reason when it cannot be used. */
  onSignedIn: () => Promise<string | undefined>
}

/** Makes the account that somebody was invited to, and signs in to it. */
export default function InvitationForm({ texts, locale, site, token, post, onSignedIn }: InvitationFormProps) {
  const own = signInTexts(locale).invitation
  const username = useRef<HTMLInputElement>(null)
  const password = useRef<HTMLInputElement>(null)
  const [invitedBy, setInvitedBy] = useState<string>()
  const [role, setRole] = useState(1)
  const [invalid, setInvalid] = useState({ username: false, password: false })
  const [failure, setFailure] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const wordsOf = (words: string) =>
    words === invitationEnded ? own.ended : words === usernameTaken ? own.taken : words

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it opens
  useEffect(() => {
    const read = async () => {
      const reply = await post('wheelhouse/invitations/read', { token })
      if ('words' in reply) return setFailure(reply.words)
      const { invited_by = '', role = 1 } = fieldsIn(reply.data)
      setRole(Number(role))
      setInvitedBy(String(invited_by))
    }
    void read()
  }, [])

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (isBusy || !username.current || !password.current) return
    const given = { username: username.current.value.trim(), password: password.current.value }
    const errors = {
      username: given.username.length < shortest.username,
      password: given.password.length < shortest.password,
    }
    setInvalid(errors)
    setFailure(undefined)
    if (errors.username) return username.current.focus()
    if (errors.password) return password.current.focus()
    setBusy(true)
    const reply = await post('wheelhouse/invitations/accept', { token, ...given })
    setFailure('words' in reply ? reply.words : await onSignedIn())
    setBusy(false)
  }

  return (
    <form onSubmit={submit} noValidate>
      {invitedBy === undefined ? null : (
        <>
          <p>{fillText(role === 0 ? own.invited_admin : own.invited, { name: invitedBy, site })}</p>
          <Field
            ref={username}
            name="username"
            label={texts.username}
            autoComplete="username"
            autoFocus
            error={invalid.username ? fillText(texts.shortName, { number: shortest.username }) : undefined}
          />
          <Field
            ref={password}
            name="password"
            label={texts.password}
            type="password"
            autoComplete="new-password"
            error={invalid.password ? fillText(own.short_password, { number: shortest.password }) : undefined}
          />
        </>
      )}
      {failure ? (
        <p className="login-failure" role="alert">
          {wordsOf(failure)}
        </p>
      ) : null}
      {invitedBy === undefined ? null : (
        <button type="submit" className="login-submit" aria-disabled={isBusy}>
          {isBusy ? texts.busy : own.submit}
        </button>
      )}
    </form>
  )
}
