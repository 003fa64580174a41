import type { Locale } from '../../../i18n/locales.ts'
import type { Oauth2Failure } from '../../schemas/define/wireNames.ts'

/** Texts of the sign-in form about providers, and the reasons why a sign-in there can fail. */
export interface Oauth2Texts {
  /** `{{name}}` is the provider's name. */
  withProvider: string
  withPassword: string
  or: string
  providers: string
  /** In the dialog above the screens: what happens to the page. */
  newTab: string
  oauth2Failures: Record<Oauth2Failure, string>
}

export const oauth2Texts: Record<Locale, Oauth2Texts> = {
  'en-US': {
    withProvider: 'Continue with {{name}}',
    withPassword: 'Log in with password',
    or: 'or',
    providers: 'OAuth2',
    newTab: 'A provider opens in a new tab. This page stays as it is, and goes on once you are signed in there.',
    oauth2Failures: {
      state: 'This sign-in took too long, was used already, or was begun in another browser. Please begin again.',
      denied: 'The provider was not allowed to tell who you are.',
      no_code: 'The provider did not confirm the sign-in. Please begin again.',
      rejected: 'The provider did not accept the sign-in. Please begin again.',
      failed: 'The provider cannot be used at the moment. The server’s log says why.',
      unbound: 'This account is not bound to anybody here. Log in with your password and bind it in your profile.',
      not_signed_in: 'Log in first, then bind the account in your profile.',
    },
  },
  it: {
    withProvider: 'Continua con {{name}}',
    withPassword: 'Accedi con la password',
    or: 'oppure',
    providers: 'OAuth2',
    newTab: 'Il provider si apre in una nuova scheda. Questa pagina resta com’è e riprende dopo l’accesso.',
    oauth2Failures: {
      state: 'L’accesso è scaduto, è già stato usato o è iniziato in un altro browser. Ricomincia da capo.',
      denied: 'Il provider non è stato autorizzato a comunicare la tua identità.',
      no_code: 'Il provider non ha confermato l’accesso. Ricomincia da capo.',
      rejected: 'Il provider non ha accettato l’accesso. Ricomincia da capo.',
      failed: 'Il provider al momento non è utilizzabile. Il motivo è nel log del server.',
      unbound: 'Questo account non è collegato a nessun utente. Accedi con la password e collegalo nel tuo profilo.',
      not_signed_in: 'Esegui prima l’accesso, poi collega l’account nel tuo profilo.',
    },
  },
  'zh-CN': {
    withProvider: '使用 {{name}} 登录',
    withPassword: '使用密码登录',
    or: '或',
    providers: 'OAuth2',
    newTab: '第三方登录会在新标签页中打开。此页面保持不变，登录后自动继续。',
    oauth2Failures: {
      state: '此次登录已超时、已被使用，或是在其他浏览器中发起的。请重新开始。',
      denied: '未授权该平台提供您的身份信息。',
      no_code: '该平台未确认此次登录。请重新开始。',
      rejected: '该平台未接受此次登录。请重新开始。',
      failed: '该平台暂时无法使用，原因请查看服务器日志。',
      unbound: '此第三方账号尚未绑定任何用户。请使用密码登录，然后在个人资料中绑定。',
      not_signed_in: '请先登录，然后在个人资料中绑定账号。',
    },
  },
  'zh-TW': {
    withProvider: '使用 {{name}} 登入',
    withPassword: '使用密碼登入',
    or: '或',
    providers: 'OAuth2',
    newTab: '第三方登入會在新分頁中開啟。此頁面保持不變，登入後自動繼續。',
    oauth2Failures: {
      state: '此次登入已逾時、已被使用，或是在其他瀏覽器中發起的。請重新開始。',
      denied: '未授權該平台提供您的身分資訊。',
      no_code: '該平台未確認此次登入。請重新開始。',
      rejected: '該平台未接受此次登入。請重新開始。',
      failed: '該平台暫時無法使用，原因請查看伺服器記錄檔。',
      unbound: '此第三方帳號尚未綁定任何使用者。請使用密碼登入，然後在個人資料中綁定。',
      not_signed_in: '請先登入，然後在個人資料中綁定帳號。',
    },
  },
  'de-DE': {
    withProvider: 'Weiter mit {{name}}',
    withPassword: 'Mit Passwort anmelden',
    or: 'oder',
    providers: 'OAuth2',
    newTab:
      'Der Anbieter öffnet sich in einem neuen Tab. Diese Seite bleibt, wie sie ist, und macht nach der Anmeldung weiter.',
    oauth2Failures: {
      state:
        'Diese Anmeldung hat zu lange gedauert, wurde schon verwendet oder in einem anderen Browser begonnen. Bitte neu beginnen.',
      denied: 'Dem Anbieter wurde nicht erlaubt, die Identität mitzuteilen.',
      no_code: 'Der Anbieter hat die Anmeldung nicht bestätigt. Bitte neu beginnen.',
      rejected: 'Der Anbieter hat die Anmeldung nicht angenommen. Bitte neu beginnen.',
      failed: 'Der Anbieter ist zurzeit nicht verwendbar. Den Grund nennt das Protokoll des Servers.',
      unbound:
        'Dieses Konto ist hier mit niemandem verknüpft. Bitte mit dem Passwort anmelden und das Konto im Profil verknüpfen.',
      not_signed_in: 'Bitte zuerst anmelden und das Konto dann im Profil verknüpfen.',
    },
  },
}
