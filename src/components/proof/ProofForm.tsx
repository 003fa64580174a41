import { type FormEvent, useEffect, useRef, useState } from 'react'
import type { Locale } from '../../../i18n/locales.ts'
import { signInTexts } from '../../../i18n/signInTexts.ts'
import type { Proof, ProofMethod, ProofOptions } from '../../schemas/endpoints/secondFactorEndpoints.ts'
import { signWithPasskey } from './browserPasskeys.ts'
import { Field } from './Field.tsx'
import { refusalText } from './proofRefusal.ts'

interface ProofFormProps {
  locale: Locale
  options: ProofOptions
  /** Whether the passkey is asked for at once, because that is what the person has chosen. */
  startsAtOnce?: boolean
  /** Sends the proof. Resolves with the server's words when it was refused. */
  onProof: (proof: Proof) => Promise<string | undefined>
  /** After a passkey was refused: the next try needs a new challenge. */
  onRefused: () => Promise<void>
}

/** Asks for a proof of who is at the keyboard: by passkey, code or password, whichever of them the account has. */
export function ProofForm({ locale, options, startsAtOnce = false, onProof, onRefused }: ProofFormProps) {
  const texts = signInTexts(locale).proof
  const [method, setMethod] = useState<ProofMethod | undefined>(options.methods[0])
  const [failure, setFailure] = useState<string>()
  const [isMissing, setMissing] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const input = useRef<HTMLInputElement>(null)

  async function send(proof: Proof) {
    setBusy(true)
    setFailure(undefined)
    const words = await onProof(proof)
    if (words !== undefined) {
      if (proof.method === 'passkey') await onRefused()
      setFailure(refusalText(words, locale))
      input.current?.focus()
      input.current?.select()
    }
    setBusy(false)
  }

  async function sendPasskey() {
    setBusy(true)
    setFailure(undefined)
    const result = await signWithPasskey(options.passkey ?? {})
    if (typeof result !== 'string') {
      return send({ method: 'passkey', challenge: options.challenge, response: result.response })
    }
    setFailure(result === 'cancelled' ? texts.cancelled : texts.failures.passkey)
    setBusy(false)
  }

  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isBusy || !method) return
    if (method === 'passkey') return void sendPasskey()
    const value = input.current?.value.trim() ?? ''
    setMissing(value === '')
    if (value === '') return input.current?.focus()
    void send(method === 'password' ? { method, password: input.current?.value } : { method, code: value })
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the form opens
  useEffect(() => {
    if (startsAtOnce && method === 'passkey') void sendPasskey()
  }, [])

  if (!method) return <p className="login-failure">{texts.noMethods}</p>
  const others = options.methods.filter((other) => other !== method)
  return (
    <form onSubmit={submit} noValidate>
      <p className="login-help">{texts.help[method]}</p>
      {method === 'passkey' ? null : (
        <Field
          key={method}
          ref={input}
          label={texts.label[method]}
          autoFocus
          error={isMissing ? texts.required : undefined}
          {...inputOf[method]}
        />
      )}
      {failure ? (
        <p className="login-failure" role="alert">
          {failure}
        </p>
      ) : null}
      {/* It stays enabled while busy: a disabled button would lose the focus. */}
      <button
        key={method === 'passkey' ? 'passkey' : 'typed'}
        type="submit"
        className="login-submit"
        // biome-ignore lint/a11y/noAutofocus: the button that led here is gone, and there is nothing to type
        autoFocus={method === 'passkey'}
        aria-disabled={isBusy}
      >
        {isBusy ? texts.busy : method === 'passkey' ? texts.usePasskey : texts.submit}
      </button>
      {others.map((other) => (
        <button
          key={other}
          type="button"
          className="login-provider login-other"
          onClick={() => {
            setMethod(other)
            setFailure(undefined)
            setMissing(false)
          }}
        >
          <span>{texts.instead[other]}</span>
        </button>
      ))}
    </form>
  )
}

const inputOf = {
  totp: { autoComplete: 'one-time-code', inputMode: 'numeric', maxLength: 7 },
  recovery: { autoComplete: 'off', maxLength: 64 },
  password: { type: 'password', autoComplete: 'current-password', maxLength: 256 },
} as const
