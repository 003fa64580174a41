import type { Locale } from '../../../i18n/locales.ts'
import { type FactorFailure, factorFailures } from '../../schemas/define/factorFailures.ts'
import type { ProofMethod } from '../../schemas/endpoints/secondFactorEndpoints.ts'

/** The texts of the proof form. Apart from the console's: the sign-in page shows it before those are loaded. */
export interface ProofTexts {
  /** What to type or to do, by method. */
  label: Record<ProofMethod, string>
  help: Record<ProofMethod, string>
  /** Buttons that change to another method. */
  instead: Record<ProofMethod, string>
  usePasskey: string
  submit: string
  busy: string
  back: string
  required: string
  cancelled: string
  noMethods: string
  failures: Record<FactorFailure, string>
}

export const proofTexts: Record<Locale, ProofTexts> = {
  'en-US': {
    label: { totp: 'Code', recovery: 'Recovery code', passkey: 'Passkey', password: 'Password' },
    help: {
      totp: 'The six digits that your authenticator app shows now.',
      recovery: 'One of the codes that you saved when you set up the second factor. Each works once.',
      passkey: 'Confirm with your fingerprint, face, PIN or security key.',
      password: 'The password of your account.',
    },
    instead: {
      totp: 'Use the authenticator app',
      recovery: 'Use a recovery code',
      passkey: 'Use a passkey',
      password: 'Use the password',
    },
    usePasskey: 'Use passkey',
    submit: 'Confirm',
    busy: 'Checking…',
    back: 'Back',
    required: 'This is needed.',
    cancelled: 'The passkey was not used: cancelled, or too late. Try again.',
    noMethods:
      'No passkey of this account works at this address, and no recovery codes are left. Ask an administrator.',
    failures: {
      wrong: 'That code is not right.',
      used: 'That code has been used already. Wait for the next one.',
      passkey: 'The passkey was not accepted.',
      tooMany: 'Too many wrong codes. Use a recovery code or a passkey, or try again later.',
      unreadable: 'This server cannot check codes of the app at the moment. Use a recovery code or a passkey.',
      expired: 'That took too long. Start again.',
      password: 'Wrong password.',
    },
  },
  it: {
    label: { totp: 'Codice', recovery: 'Codice di recupero', passkey: 'Passkey', password: 'Password' },
    help: {
      totp: 'Le sei cifre mostrate ora dall’app di autenticazione.',
      recovery: 'Uno dei codici salvati quando hai impostato il secondo fattore. Ognuno vale una volta.',
      passkey: 'Conferma con impronta, volto, PIN o chiave di sicurezza.',
      password: 'La password del tuo account.',
    },
    instead: {
      totp: 'Usa l’app di autenticazione',
      recovery: 'Usa un codice di recupero',
      passkey: 'Usa una passkey',
      password: 'Usa la password',
    },
    usePasskey: 'Usa la passkey',
    submit: 'Conferma',
    busy: 'Verifica in corso…',
    back: 'Indietro',
    required: 'Campo obbligatorio.',
    cancelled: 'La passkey non è stata usata: operazione annullata o scaduta. Riprova.',
    noMethods:
      'Nessuna passkey di questo account vale a questo indirizzo e non restano codici di recupero. Rivolgiti a un amministratore.',
    failures: {
      wrong: 'Il codice non è corretto.',
      used: 'Questo codice è già stato usato. Attendi il prossimo.',
      passkey: 'La passkey non è stata accettata.',
      tooMany: 'Troppi codici sbagliati. Usa un codice di recupero o una passkey, oppure riprova più tardi.',
      unreadable: 'Al momento il server non può verificare i codici dell’app. Usa un codice di recupero o una passkey.',
      expired: 'È passato troppo tempo. Ricomincia.',
      password: 'Password errata.',
    },
  },
  'zh-CN': {
    label: { totp: '验证码', recovery: '恢复码', passkey: '通行密钥', password: '密码' },
    help: {
      totp: '身份验证器当前显示的六位数字。',
      recovery: '设置双重验证时保存的恢复码之一，每个只能使用一次。',
      passkey: '使用指纹、面容、PIN 或安全密钥确认。',
      password: '您账号的密码。',
    },
    instead: {
      totp: '使用身份验证器',
      recovery: '使用恢复码',
      passkey: '使用通行密钥',
      password: '使用密码',
    },
    usePasskey: '使用通行密钥',
    submit: '确认',
    busy: '正在验证…',
    back: '返回',
    required: '此项必填。',
    cancelled: '未使用通行密钥：已取消或超时，请重试。',
    noMethods: '此账号没有可在此地址使用的通行密钥，恢复码也已用完。请联系管理员。',
    failures: {
      wrong: '验证码不正确。',
      used: '此验证码已使用过，请等待下一个。',
      passkey: '通行密钥未被接受。',
      tooMany: '错误次数过多。请使用恢复码或通行密钥，或稍后再试。',
      unreadable: '服务器暂时无法校验身份验证器的验证码，请使用恢复码或通行密钥。',
      expired: '操作超时，请重新开始。',
      password: '密码错误。',
    },
  },
  'zh-TW': {
    label: { totp: '驗證碼', recovery: '復原碼', passkey: '通行金鑰', password: '密碼' },
    help: {
      totp: '驗證器應用程式目前顯示的六位數字。',
      recovery: '設定雙重驗證時儲存的復原碼之一，每個只能使用一次。',
      passkey: '使用指紋、臉部、PIN 或安全金鑰確認。',
      password: '您帳號的密碼。',
    },
    instead: {
      totp: '使用驗證器應用程式',
      recovery: '使用復原碼',
      passkey: '使用通行金鑰',
      password: '使用密碼',
    },
    usePasskey: '使用通行金鑰',
    submit: '確認',
    busy: '正在驗證…',
    back: '返回',
    required: '此項必填。',
    cancelled: '未使用通行金鑰：已取消或逾時，請再試一次。',
    noMethods: '此帳號沒有可在此位址使用的通行金鑰，復原碼也已用完。請洽管理員。',
    failures: {
      wrong: '驗證碼不正確。',
      used: '此驗證碼已使用過，請等待下一個。',
      passkey: '通行金鑰未被接受。',
      tooMany: '錯誤次數過多。請使用復原碼或通行金鑰，或稍後再試。',
      unreadable: '伺服器暫時無法檢查驗證器的驗證碼，請使用復原碼或通行金鑰。',
      expired: '操作逾時，請重新開始。',
      password: '密碼錯誤。',
    },
  },
  'de-DE': {
    label: { totp: 'Code', recovery: 'Wiederherstellungscode', passkey: 'Passkey', password: 'Passwort' },
    help: {
      totp: 'Die sechs Ziffern, die die Authenticator-App gerade zeigt.',
      recovery: 'Einer der Codes, die beim Einrichten des zweiten Faktors gesichert wurden. Jeder gilt einmal.',
      passkey: 'Mit Fingerabdruck, Gesicht, PIN oder Sicherheitsschlüssel bestätigen.',
      password: 'Das Passwort des eigenen Kontos.',
    },
    instead: {
      totp: 'Authenticator-App verwenden',
      recovery: 'Wiederherstellungscode verwenden',
      passkey: 'Passkey verwenden',
      password: 'Passwort verwenden',
    },
    usePasskey: 'Passkey verwenden',
    submit: 'Bestätigen',
    busy: 'Wird geprüft …',
    back: 'Zurück',
    required: 'Das wird gebraucht.',
    cancelled: 'Der Passkey wurde nicht verwendet: abgebrochen oder zu spät. Bitte noch einmal versuchen.',
    noMethods:
      'Kein Passkey dieses Kontos gilt an dieser Adresse, und es sind keine Wiederherstellungscodes übrig. Bitte an einen Administrator wenden.',
    failures: {
      wrong: 'Der Code stimmt nicht.',
      used: 'Dieser Code wurde schon verwendet. Bitte auf den nächsten warten.',
      passkey: 'Der Passkey wurde nicht angenommen.',
      tooMany:
        'Zu viele falsche Codes. Bitte einen Wiederherstellungscode oder Passkey verwenden oder es später noch einmal versuchen.',
      unreadable:
        'Der Server kann Codes der App gerade nicht prüfen. Bitte einen Wiederherstellungscode oder Passkey verwenden.',
      expired: 'Das hat zu lange gedauert. Bitte von vorn beginnen.',
      password: 'Falsches Passwort.',
    },
  },
}

/** The text for a refusal in the server's words; others are shown as they are. */
export function refusalText(words: string, locale: Locale): string {
  const failure = Object.entries(factorFailures).find(([, text]) => text === words)
  return failure ? proofTexts[locale].failures[failure[0] as FactorFailure] : words
}
