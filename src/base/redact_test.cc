#include "base/redact.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace latido {
namespace {

TEST(RedactText, HidesSecretsAndKeepsTheRest) {
  struct Case {
    std::string name, text, want;
  };
  const std::vector<Case> cases{
      {"plain", "train.py --lr 0.1", "train.py --lr 0.1"},
      {"assignment", "API_KEY=canary python", "API_KEY=[redacted] python"},
      {"flag with value", "--db-password=canary", "--db-password=[redacted]"},
      {"url", "s3://user:canary@host/b", "s3://[redacted]@host/b"},
      {"query", "https://h/p?token=canary&x=1", "https://h/p?token=[redacted]&x=1"},
      {"known token", "use ghp_canarycanarycanary now", "use [redacted] now"},
      {"two urls", "a://u:p@h b://u:p@h", "a://[redacted]@h b://[redacted]@h"},
      {"empty value", "TOKEN= x", "TOKEN= x"},
      {"tokenizer is no secret", "--tokenizer=bert --max_tokens=9",
       "--tokenizer=bert --max_tokens=9"},
      {"colon", "--password:canary password: canary x",
       "--password:[redacted] password: [redacted] x"},
      {"json", R"({"password": "canary", "lr": 1})", R"({"password": "[redacted]", "lr": 1})"},
      {"json in json", R"({"m": "token=\"canary\"", "n": 1})",
       R"({"m": "token=\"[redacted]\"", "n": 1})"},
      {"json that ends in a name", R"({"m": "no auth:", "n": 1})", R"({"m": "no auth:", "n": 1})"},
      {"header", "Authorization: Bearer canary", "Authorization: Bearer [redacted]"},
      {"signed url", "https://h/p?sig=canary&x=1", "https://h/p?sig=[redacted]&x=1"},
      {"author is no secret", "author: me", "author: me"},
      {"a url behind a name", "auth://host/path", "auth://host/path"},
      {"quoted value", "TOKEN='canary' x", "TOKEN='[redacted]' x"},
      {"short sk", "sk-learn", "sk-learn"},
      {"at sign outside of a host", "http://h/@user", "http://h/@user"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    EXPECT_EQ(redact_text(c.text), c.want);
  }
}

TEST(RedactArguments, HidesASecretThatBeginsWithADash) {
  const std::vector<std::string> arguments{"--secret", "-canary-canary-canary", "-v"};
  const std::vector<std::string> want{"--secret", "[redacted]", "-v"};
  EXPECT_EQ(redact_arguments(arguments), want);
}

TEST(RedactArguments, HidesWhatFollowsASecretFlag) {
  const std::vector<std::string> arguments{"train.py", "--wandb-api-key", "canary",   "--lr",
                                           "1",        "--token",         "--verbose"};
  const std::vector<std::string> want{"train.py", "--wandb-api-key", "[redacted]", "--lr",
                                      "1",        "--token",         "--verbose"};
  EXPECT_EQ(redact_arguments(arguments), want);
}

}  // namespace
}  // namespace latido
