/** Endings of names of hosts, those of countries, and those that companies and their networks use; and of names of files. */
const COUNTRIES = `ac ad ae af ag ai al am ao aq ar as at au aw ax az ba bb bd be bf bg bh bi bj bm bn bo br bs bt bw by bz ca cc cd cf cg ch
  ci ck cl cm cn co cr cu cv cw cx cy cz de dj dk dm do dz ec ee eg er es et eu fi fj fk fm fo fr ga gb gd ge gf gg gh gi gl gm gn gp gq gr
  gs gt gu gw gy hk hm hn hr ht hu id ie il im in io iq ir is it je jm jo jp ke kg kh ki km kn kp kr kw ky kz la lb lc li lk lr ls lt lu lv
  ly ma mc md me mg mh mk ml mm mn mo mp mq mr ms mt mu mv mw mx my mz na nc ne nf ng ni nl no np nr nu nz om pa pe pf pg ph pk pl pm pn pr
  ps pt pw py qa re ro rs ru rw sa sb sc sd se sg sh si sk sl sm sn so sr ss st su sv sx sy sz tc td tf tg th tj tk tl tm tn to tr tt tv tw
  tz ua ug uk us uy uz va vc ve vg vi vn vu wf ws ye yt za zm zw`;
const OTHERS = `com net org edu gov mil int info biz pro coop cloud dev app online tech shop agency company gmbh group berlin hamburg koeln
  bayern wien tirol swiss paris london nyc tokyo local localdomain lan intern internal corp home ad arpa example test`;
const FILES = `bak bin bmp cfg conf csv dat db dll doc docx edb exe gz html img ini iso jpeg jpg json ldf log mdb mdf mp3 mp4 msg ndf nsf odt ost
  pdf png ppt pptx pst rar sql sqlite sys tar tmp txt vbk vbm vhd vhdx vib vmdk vmx vrb wav xls xlsx xml yaml zip`;
const ENDINGS = new Set(`${COUNTRIES} ${OTHERS} ${FILES}`.split(/\s+/));

/** Whether the part after the last dot is one that names of hosts or files have. */
export function hasEndingOfName(name: string): boolean {
  return ENDINGS.has(name.slice(name.lastIndexOf('.') + 1).toLowerCase());
}
