// Passwords with a digit and eight characters or more that guessing programs try first.
export const commonPasswords: ReadonlySet<string> = new Set(
  `
  00000000 000000000 0987654321 0okm9ijn 10203040 11111111 111111111 11223344 1122334455 112233445566 12121212
  123123123 123321123 12341234 12344321 123454321 12345678 123456789 1234567890 123456789a 123456789q 12345678a
  12345678q 1234567a 1234567q 123456aa 123456ab 123456abc 123456qq 123456qw 12345qwe 12345qwert 1234abcd
  1234qwer 123qwe123 123qweasd 12qwaszx 147258369 147852369 159357258 159357456 159753456 19891989 19901990
  19951995 1a2b3c4d 1a2b3c4d5e 1q1q1q1q 1q2w3e4r 1q2w3e4r5t 1q2w3e4r5t6y 1qaz1qaz 1qaz2wsx 1qazxsw2 20002000
  20102010 20202020 20232023 20242024 20252025 20262026 22222222 258456159 31415926 33333333 3edc4rfv 44444444
  456789123 55555555 5tgb6yhn 66666666 741852963 753951456 77777777 789456123 7ujm8ik9 852456789 87654321
  88888888 963852741 987654321 99999999 a1234567 a12345678 a123456789 a1b2c3d4 aa123456 aa12345678 aaa11111
  ab123456 abc12345 abc123456 abc12345678 abcd1234 abcd12345 abcde12345 abcdef123 abcdefg1 admin123 admin1234
  admin12345 administrator1 almaty123 asdasd123 asdf1234 asdfghjkl1 ashley123 barcelona1 baseball1 batman123
  changeme1 changeme123 charlie1 chelsea123 computer1 default1 dragon123 football1 football123 fortnite1
  fortnite123 freefire1 freefire123 gamer123 gamer1234 garena123 guest123 guest1234 hello123 hello1234
  hello12345 iloveyou1 iloveyou123 internet1 jordan23 kazan123 killer123 letmein1 letmein123 liverpool1 lubov123
  m1234567 marina123 master123 michael1 minecraft1 minecraft123 monkey123 moscow123 nastya123 natasha1
  ozbekiston1 p4ssw0rd p4ssword parol123 parol1234 parol12345 passw0rd passw0rd1 password1 password12
  password123 password1234 player123 player1234 pokemon123 princess1 privet123 pubgmobile1 q1234567 q12345678
  q1w2e3r4 q1w2e3r4t5 qaz12345 qazaqstan1 qazwsx123 qwe12345 qwe123456 qwer1234 qwerty12 qwerty123 qwerty1234
  qwerty12345 qwerty123456 qwertyuiop1 realmadrid1 roblox123 roblox1234 russia123 s1234567 salom123 salom1234
  samarkand1 samsung1 samsung123 secret123 secret1234 shadow123 starwars1 sunshine1 superman1 tashkent1
  tashkent123 test1234 test12345 testing1 testing123 toshkent1 toshkent123 trustno1 user1234 user12345
  uzbekistan1 w1234567 welcome1 welcome123 whatever1 z1234567 zaq12wsx zaq1zaq1 zxc12345 zxcv1234 zxcvbnm1
  zxcvbnm123
`.split(/\s+/),
)
