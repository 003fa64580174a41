import { useEffect, useState } from 'react'
import type { Locale } from '../../../i18n/locales.ts'
import { signInTexts } from '../../../i18n/signInTexts.ts'
import { ProofForm } from '../../components/proof/ProofForm.tsx'
import { refusalText } from '../../components/proof/proofRefusal.ts'
import type { Proof, ProofOptions } from '../../schemas/endpoints/secondFactorEndpoints.ts'
import type { FirstHalf } from './signIn.ts'

interface SecondFactorStepProps {
  locale: Locale
  first: FirstHalf
  /**
   * Posts to the server; a refusal resolves with its text. Passed in by the form, which has the code for it anyway: an
   * import would move that code into files of its own.
   */
  post: (path: string, body: object) => Promise<{ data: unknown } | { words: string }>
  /** Called after the sign-in. Resolves with the reason when the session cannot be used. */
  onSignedIn: () => Promise<string | undefined>
  onBack: () => void
}

/** The second half of a sign-in, or a sign-in with a passkey alone. */
export default function SecondFactorStep({ locale, first, post, onSignedIn, onBack }: SecondFactorStepProps) {
  const [options, setOptions] = useState<ProofOptions>()
  const [failure, setFailure] = useState<string>()

  const load = async () => {
    const reply = await post('wheelhouse/sign-in/options', first)
    if ('words' in reply) return setFailure(refusalText(reply.words, locale))
    setFailure(undefined)
    setOptions({ methods: [], ...(reply.data as Partial<ProofOptions>) })
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it opens
  useEffect(() => {
    void load()
  }, [])

  async function complete(proof: Proof): Promise<string | undefined> {
    const reply = await post('wheelhouse/sign-in', { ...first, ...proof })
    return 'words' in reply ? reply.words : onSignedIn()
  }

  return (
    <>
      {failure ? (
        <p className="login-failure" role="alert">
          {failure}
        </p>
      ) : null}
      {options ? (
        <ProofForm
          locale={locale}
          options={options}
          startsAtOnce={!('state' in first) && !('after' in first)}
          onProof={complete}
          onRefused={load}
        />
      ) : null}
      <button type="button" className="login-provider login-other" onClick={onBack}>
        <span>{signInTexts(locale).proof.back}</span>
      </button>
    </>
  )
}
