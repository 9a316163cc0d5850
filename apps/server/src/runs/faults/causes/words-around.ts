/**
 * What the words before a number or a name say of it. Each pattern reads the end of the text before the token, of which `tokenShape` is
 * given a few characters.
 */

/** Between a word and its number: not the end of a sentence or of a part of it, after which a number counts something. */
const JOINT = String.raw`[^\p{L}\p{Nd}.,;!?…]{1,4}`;

/** Not the code on a tape, and no verb. */
const CODE = String.raw`(?<!bar|strich|\bde|\ben)code`;

/** Words that announce a code, also as the end of another one: `ErrorCode`, `Systemfehler`. */
const ENDINGS = [
  `error|${CODE}|status|errno|sqlstate|hresult`,
  'fehler|fehlernummer|rückgabewert|fout|fejl|feil',
  'erreur|errore|código|codice|erro|(?<!bar)kod(?: błędu)?|kód|kode|hata kodu|błąd|chyba|hiba|hata',
  'ошибка|(?<!штрих-?)код(?: ошибки)?|помилка|код помилки',
  'エラー|コード|错误|錯誤|代码|代碼|오류|코드|خطأ|σφάλμα|שגיאה',
].join('|');

/** Words that do so only on their own, or with `=` alone. */
const WHOLE = [
  String.raw`(?<![\p{L}\p{Nd}])(?:http(?:\/[\d.]{1,3})?|event(?: id)?|sense key|msg|exit|exited with|return value|signal)`,
  String.raw`(?<![\p{L}\p{Nd}])rc(?==)`,
].join('|');

/** `Error no. 5`, `Fehler Nr. 5`, `ошибка № 5`. Without such a word a number after `no.` is an id. */
const NUMBER = '(?: ?(?:number|no|nr|nummer|n°|nº|№|номер)[.:]?)?';

const SAYS_CODE = new RegExp(`(?:(?:${ENDINGS})${NUMBER}|${WHOLE})${JOINT}$`, 'iu');

/** In scripts without spaces nothing has to be between. */
const SAYS_CODE_DIRECTLY = /(?:コード|代码|代碼|코드)$/u;

export function saysCode(before: string): boolean {
  return SAYS_CODE.test(before) || SAYS_CODE_DIRECTLY.test(before);
}

/** `Message 3041, Level 16`; in `message 3041 of 5000` it is a counter. */
const SAYS_MESSAGE = /(?<![\p{L}\p{Nd}])(?:message|meldung|nachricht|сообщение) $/iu;

export function saysNumberOfMessage(before: string, after: string): boolean {
  return SAYS_MESSAGE.test(before) && /^[,:]/.test(after);
}

/** After these also letters are part of a code: `error code E05`. */
const SAYS_CODE_OF_LETTERS = new RegExp(`(?:${CODE}|sqlstate|hresult)${JOINT}$`, 'iu');

export function saysCodeOfLetters(before: string): boolean {
  return SAYS_CODE_OF_LETTERS.test(before);
}

/** After these a hexadecimal number says where, not why. */
const SAYS_POSITION = new RegExp(
  String.raw`(?<![\p{L}\p{Nd}])(?:block|offset|address|sector|cluster|page|lba|handle|pointer|inode|object|process|thread|session|pid|tid|id)${JOINT}$`,
  'iu',
);

export function saysPosition(before: string): boolean {
  return SAYS_POSITION.test(before);
}

/** Words after which a name of a host comes, or of a file. */
const PLACES = [
  'on|of|to|from|at|by|via|for|processing',
  'server|host|computer|machine|node|client|proxy|gateway|guest|vm|appliance|agent|instance|domain|file',
  'auf|von|nach|für|rechner|datei|sur|serveur|fichier|servidor|на|сервер|сервера',
].join('|');
const SAYS_PLACE = new RegExp(String.raw`(?<![\p{L}\p{Nd}])(?:${PLACES})[ ="'“‘«([]{1,3}$`, 'iu');

export function saysPlace(before: string): boolean {
  return SAYS_PLACE.test(before);
}
