import type { Locale } from '../../../i18n/locales.ts'

/** What the sign-in form says. It speaks before the console's own texts are loaded, so it brings its own. */
export interface LoginTexts {
  site: string
  title: string
  username: string
  password: string
  show: string
  hide: string
  submit: string
  busy: string
  /** `{{number}}` is the least number of characters. */
  shortName: string
  noPassword: string
  wrong: string
  blocked: string
  unreachable: string
  noCookie: string
  ended: string
  /** After a change of the own name or password. */
  changed: string
  first: string
  language: string
  theme: string
  light: string
  dark: string
  system: string
  /** After a good sign-in, the console itself could not be fetched. */
  notLoaded: string
  reload: string
  /** At the start nobody could say whose session this is. */
  retry: string
}

export const texts: Record<Locale, LoginTexts> = {
  'en-US': {
    site: 'Server Monitoring',
    title: 'Log in',
    username: 'Username',
    password: 'Password',
    show: 'Show password',
    hide: 'Hide password',
    submit: 'Login',
    busy: 'Logging in…',
    shortName: 'Username must be at least {{number}} characters.',
    noPassword: 'Password cannot be empty.',
    wrong: 'Wrong username or password.',
    blocked: 'Too many failed attempts from this address. Try again in a while.',
    unreachable: 'The server cannot be reached. Check the connection and try again.',
    noCookie:
      'This browser did not keep the session. Allow cookies for this site, and use the address it is meant for.',
    ended: 'Your session has ended.',
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
  },
  it: {
    site: 'Monitoraggio server',
    title: 'Accedi',
    username: 'Nome utente',
    password: 'Password',
    show: 'Mostra la password',
    hide: 'Nascondi la password',
    submit: 'Accedi',
    busy: 'Accesso in corso…',
    shortName: 'Il nome utente deve avere almeno {{number}} caratteri.',
    noPassword: 'La password non può essere vuota.',
    wrong: 'Nome utente o password non corretti.',
    blocked: 'Troppi tentativi di accesso falliti da questo indirizzo. Riprova più tardi.',
    unreachable: 'Il server non è raggiungibile. Controlla la connessione e riprova.',
    noCookie: 'Il browser non ha conservato la sessione. Consenti i cookie per questo sito e aprilo dal suo indirizzo.',
    ended: 'La sessione è terminata.',
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
  },
  'zh-CN': {
    site: '服务器监控',
    title: '登录',
    username: '用户名',
    password: '密码',
    show: '显示密码',
    hide: '隐藏密码',
    submit: '登录',
    busy: '正在登录…',
    shortName: '用户名至少需要 {{number}} 个字符。',
    noPassword: '密码不能为空。',
    wrong: '用户名或密码错误。',
    blocked: '此地址的登录失败次数过多，请稍后再试。',
    unreachable: '无法连接到服务器，请检查网络后重试。',
    noCookie: '浏览器未保存会话。请允许此网站使用 Cookie，并通过正确的地址访问。',
    ended: '会话已结束。',
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
  },
  'zh-TW': {
    site: '伺服器監控',
    title: '登入',
    username: '使用者名稱',
    password: '密碼',
    show: '顯示密碼',
    hide: '隱藏密碼',
    submit: '登入',
    busy: '正在登入…',
    shortName: '使用者名稱至少需要 {{number}} 個字元。',
    noPassword: '密碼不可空白。',
    wrong: '使用者名稱或密碼錯誤。',
    blocked: '此位址的登入失敗次數過多，請稍後再試。',
    unreachable: '無法連線到伺服器，請檢查網路後再試一次。',
    noCookie: '瀏覽器未儲存工作階段。請允許此網站使用 Cookie，並透過正確的網址存取。',
    ended: '工作階段已結束。',
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
  },
  'de-DE': {
    site: 'Server-Überwachung',
    title: 'Anmelden',
    username: 'Benutzername',
    password: 'Passwort',
    show: 'Passwort anzeigen',
    hide: 'Passwort verbergen',
    submit: 'Anmelden',
    busy: 'Anmeldung läuft …',
    shortName: 'Der Benutzername muss mindestens {{number}} Zeichen lang sein.',
    noPassword: 'Das Passwort darf nicht leer sein.',
    wrong: 'Benutzername oder Passwort ist falsch.',
    blocked: 'Zu viele fehlgeschlagene Anmeldeversuche von dieser Adresse. Bitte später erneut versuchen.',
    unreachable: 'Der Server ist nicht erreichbar. Bitte die Verbindung prüfen und erneut versuchen.',
    noCookie:
      'Der Browser hat die Sitzung nicht gespeichert. Bitte Cookies für diese Website erlauben und sie über die vorgesehene Adresse öffnen.',
    ended: 'Die Sitzung ist beendet.',
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
  },
}
