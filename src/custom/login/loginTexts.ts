import type { Locale } from '../../../i18n/locales.ts'
import { type Oauth2Texts, oauth2Texts } from './oauth2Texts.ts'

/** The texts of the sign-in page, which is shown before the console's own texts are loaded. */
export interface LoginTexts extends Oauth2Texts {
  site: string
  title: string
  username: string
  password: string
  show: string
  hide: string
  submit: string
  withPasskey: string
  busy: string
  /** `{{number}}` is the minimum length. */
  shortName: string
  noPassword: string
  wrong: string
  /** For sites with providers, where passwords may be switched off for an account. */
  wrongOrOff: string
  blocked: string
  /** `{{time}}` is the end of the block. */
  blockedUntil: string
  /** The same, when only this account is blocked at this address. */
  accountBlockedUntil: string
  blockedByAdmin: string
  unreachable: string
  noCookie: string
  ended: string
  /** The same, with possible reasons. */
  endedWhy: string
  /** After a user changed their username or password. */
  changed: string
  first: string
  language: string
  theme: string
  light: string
  dark: string
  system: string
  /** The console could not be loaded after the sign-in. */
  notLoaded: string
  reload: string
  /** After the session could not be checked at the start. */
  retry: string
  /** Link to the connection check. */
  check: string
}

export const texts: Record<Locale, LoginTexts> = {
  'en-US': {
    ...oauth2Texts['en-US'],
    site: 'Server Monitoring',
    title: 'Log in',
    username: 'Username',
    password: 'Password',
    show: 'Show password',
    hide: 'Hide password',
    submit: 'Login',
    withPasskey: 'Sign in with a passkey',
    busy: 'Logging in…',
    shortName: 'Username must be at least {{number}} characters.',
    noPassword: 'Password cannot be empty.',
    wrong: 'Wrong username or password.',
    wrongOrOff: 'Wrong username or password, or signing in by password is switched off for this account.',
    blocked: 'Too many failed attempts from this address. Try again in a while.',
    blockedUntil: 'Too many failed attempts from this address. Try again after {{time}}.',
    accountBlockedUntil: 'Too many failed attempts for this account from this address. Try again after {{time}}.',
    blockedByAdmin: 'An administrator has blocked this address.',
    unreachable: 'The server cannot be reached. Check the connection and try again.',
    noCookie:
      'This browser did not keep the session. Allow cookies for this site, and use the address it is meant for.',
    ended: 'Your session has ended.',
    endedWhy: 'Your session has ended: expired, ended by an account change, or your address changed.',
    changed: 'Your profile is saved, and all its sessions have ended. Sign in again with your new data.',
    first: 'Please Log in first',
    language: 'Language',
    theme: 'Theme',
    light: 'Light',
    dark: 'Dark',
    system: 'System',
    notLoaded: 'The console could not be loaded. Check the connection, then reload the page.',
    reload: 'Reload',
    retry: 'Retry',
    check: 'Check the connection',
  },
  it: {
    ...oauth2Texts.it,
    site: 'Monitoraggio server',
    title: 'Accedi',
    username: 'Nome utente',
    password: 'Password',
    show: 'Mostra la password',
    hide: 'Nascondi la password',
    submit: 'Accedi',
    withPasskey: 'Accedi con una passkey',
    busy: 'Accesso in corso…',
    shortName: 'Il nome utente deve avere almeno {{number}} caratteri.',
    noPassword: 'La password non può essere vuota.',
    wrong: 'Nome utente o password non corretti.',
    wrongOrOff: 'Nome utente o password non corretti, oppure l’accesso con password è disattivato per questo account.',
    blocked: 'Troppi tentativi di accesso falliti da questo indirizzo. Riprova più tardi.',
    blockedUntil: 'Troppi tentativi di accesso falliti da questo indirizzo. Riprova dopo le {{time}}.',
    accountBlockedUntil: 'Troppi tentativi falliti per questo account da questo indirizzo. Riprova dopo le {{time}}.',
    blockedByAdmin: 'Un amministratore ha bloccato questo indirizzo.',
    unreachable: 'Il server non è raggiungibile. Controlla la connessione e riprova.',
    noCookie: 'Il browser non ha conservato la sessione. Consenti i cookie per questo sito e aprilo dal suo indirizzo.',
    ended: 'La sessione è terminata.',
    endedWhy:
      'La sessione è terminata: è scaduta, è stata chiusa da una modifica dell’account oppure il tuo indirizzo è cambiato.',
    changed: 'Il profilo è stato salvato e tutte le sue sessioni sono terminate. Accedi di nuovo con i nuovi dati.',
    first: "Esegui prima l'accesso",
    language: 'Lingua',
    theme: 'Tema',
    light: 'Chiaro',
    dark: 'Scuro',
    system: 'Sistema',
    notLoaded: 'Impossibile caricare la console. Controlla la connessione e ricarica la pagina.',
    reload: 'Ricarica',
    retry: 'Riprova',
    check: 'Verifica la connessione',
  },
  'zh-CN': {
    ...oauth2Texts['zh-CN'],
    site: '服务器监控',
    title: '登录',
    username: '用户名',
    password: '密码',
    show: '显示密码',
    hide: '隐藏密码',
    submit: '登录',
    withPasskey: '使用通行密钥登录',
    busy: '正在登录…',
    shortName: '用户名至少需要 {{number}} 个字符。',
    noPassword: '密码不能为空。',
    wrong: '用户名或密码错误。',
    wrongOrOff: '用户名或密码错误，或者此账号已关闭密码登录。',
    blocked: '此地址的登录失败次数过多，请稍后再试。',
    blockedUntil: '此地址的登录失败次数过多，请在 {{time}} 之后重试。',
    accountBlockedUntil: '此地址对该账号的登录失败次数过多，请在 {{time}} 之后重试。',
    blockedByAdmin: '管理员已封禁此地址。',
    unreachable: '无法连接到服务器，请检查网络后重试。',
    noCookie: '浏览器未保存会话。请允许此网站使用 Cookie，并通过正确的地址访问。',
    ended: '会话已结束。',
    endedWhy: '会话已结束：会话已过期、因账号变更而结束，或您的地址已变化。',
    changed: '个人资料已保存，其所有会话均已结束。请使用新的信息重新登录。',
    first: '请先登录',
    language: '语言',
    theme: '主题',
    light: '浅色',
    dark: '深色',
    system: '跟随系统',
    notLoaded: '无法加载控制台。请检查网络连接，然后重新加载页面。',
    reload: '重新加载',
    retry: '重试',
    check: '检查连接',
  },
  'zh-TW': {
    ...oauth2Texts['zh-TW'],
    site: '伺服器監控',
    title: '登入',
    username: '使用者名稱',
    password: '密碼',
    show: '顯示密碼',
    hide: '隱藏密碼',
    submit: '登入',
    withPasskey: '使用通行金鑰登入',
    busy: '正在登入…',
    shortName: '使用者名稱至少需要 {{number}} 個字元。',
    noPassword: '密碼不可空白。',
    wrong: '使用者名稱或密碼錯誤。',
    wrongOrOff: '使用者名稱或密碼錯誤，或者此帳號已停用密碼登入。',
    blocked: '此位址的登入失敗次數過多，請稍後再試。',
    blockedUntil: '此位址的登入失敗次數過多，請在 {{time}} 之後再試。',
    accountBlockedUntil: '此位址對該帳號的登入失敗次數過多，請在 {{time}} 之後再試。',
    blockedByAdmin: '管理員已封鎖此位址。',
    unreachable: '無法連線到伺服器，請檢查網路後再試一次。',
    noCookie: '瀏覽器未儲存工作階段。請允許此網站使用 Cookie，並透過正確的網址存取。',
    ended: '工作階段已結束。',
    endedWhy: '工作階段已結束：已過期、因帳號變更而結束，或您的位址已變更。',
    changed: '個人資料已儲存，其所有工作階段均已結束。請使用新的資料重新登入。',
    first: '請先登入',
    language: '語言',
    theme: '佈景主題',
    light: '淺色',
    dark: '深色',
    system: '跟隨系統',
    notLoaded: '無法載入主控台。請檢查網路連線，然後重新載入頁面。',
    reload: '重新載入',
    retry: '重試',
    check: '檢查連線',
  },
  'de-DE': {
    ...oauth2Texts['de-DE'],
    site: 'Server-Überwachung',
    title: 'Anmelden',
    username: 'Benutzername',
    password: 'Passwort',
    show: 'Passwort anzeigen',
    hide: 'Passwort verbergen',
    submit: 'Anmelden',
    withPasskey: 'Mit Passkey anmelden',
    busy: 'Anmeldung läuft …',
    shortName: 'Der Benutzername muss mindestens {{number}} Zeichen lang sein.',
    noPassword: 'Das Passwort darf nicht leer sein.',
    wrong: 'Benutzername oder Passwort ist falsch.',
    wrongOrOff:
      'Benutzername oder Passwort ist falsch, oder die Anmeldung mit Passwort ist für dieses Konto abgeschaltet.',
    blocked: 'Zu viele fehlgeschlagene Anmeldeversuche von dieser Adresse. Bitte später erneut versuchen.',
    blockedUntil: 'Zu viele fehlgeschlagene Anmeldeversuche von dieser Adresse. Bitte nach {{time}} erneut versuchen.',
    accountBlockedUntil:
      'Zu viele fehlgeschlagene Versuche für dieses Konto von dieser Adresse. Bitte nach {{time}} erneut versuchen.',
    blockedByAdmin: 'Ein Administrator hat diese Adresse gesperrt.',
    unreachable: 'Der Server ist nicht erreichbar. Bitte die Verbindung prüfen und erneut versuchen.',
    noCookie:
      'Der Browser hat die Sitzung nicht gespeichert. Bitte Cookies für diese Website erlauben und sie über die vorgesehene Adresse öffnen.',
    ended: 'Die Sitzung ist beendet.',
    endedWhy:
      'Die Sitzung ist beendet: abgelaufen, durch eine Änderung am Konto beendet, oder die eigene Adresse hat sich geändert.',
    changed:
      'Das Profil ist gespeichert, alle seine Sitzungen sind beendet. Bitte mit den neuen Daten wieder anmelden.',
    first: 'Bitte zuerst anmelden',
    language: 'Sprache',
    theme: 'Design',
    light: 'Hell',
    dark: 'Dunkel',
    system: 'System',
    notLoaded: 'Die Konsole konnte nicht geladen werden. Bitte die Verbindung prüfen und die Seite neu laden.',
    reload: 'Neu laden',
    retry: 'Erneut versuchen',
    check: 'Verbindung prüfen',
  },
}
