#include "base/redact_flags.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/redact.h"

namespace latido {
namespace {

using Arguments = std::vector<std::string>;

struct Case {
  std::string name;
  Arguments arguments, want;
};

void expect_all(const std::vector<Case>& cases) {
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    EXPECT_EQ(redact_arguments(c.arguments), c.want);
  }
}

TEST(ShortFlags, HidePasswords) {
  const std::string gone(kRedacted);
  expect_all({
      {"mysql attached", {"mysql", "-uroot", "-pcanary"}, {"mysql", "-uroot", "-p" + gone}},
      {"mysql with a path",
       {"/usr/bin/mysqldump", "-pcanary", "shop"},
       {"/usr/bin/mysqldump", "-p" + gone, "shop"}},
      {"mysql behind sudo", {"sudo", "mysql", "-p12345"}, {"sudo", "mysql", "-p" + gone}},
      {"mysql apart", {"mysql", "-p", "canary"}, {"mysql", "-p", gone}},
      {"sshpass and its program",
       {"sshpass", "-p", "canary", "ssh", "host"},
       {"sshpass", "-p", gone, "ssh", "host"}},
      {"redis", {"redis-cli", "-a", "canary"}, {"redis-cli", "-a", gone}},
      {"any program", {"etl.py", "-p", "Canary1"}, {"etl.py", "-p", gone}},
      {"base64 is no path", {"etl.py", "-p", "aB3/xY9=="}, {"etl.py", "-p", gone}},
      {"curl", {"curl", "-u", "me:canary"}, {"curl", "-u", "me:" + gone}},
      {"curl attached", {"curl", "-ume:canary"}, {"curl", "-ume:" + gone}},
      {"without a user", {"curl", "-u", ":canary"}, {"curl", "-u", ":" + gone}},
      {"begins with a dash", {"curl", "-u", "-me:canary"}, {"curl", "-u", "-me:" + gone}},
      {"long", {"curl", "--user", "me:canary"}, {"curl", "--user", "me:" + gone}},
      {"long with a sign", {"curl", "--user=me:canary"}, {"curl", "--user=me:" + gone}},
      {"proxy", {"curl", "--proxy-user", "me:canary"}, {"curl", "--proxy-user", "me:" + gone}},
      {"shell text",
       {"bash", "-c", "mysql -pcanary <q.sql && curl -u me:canary host | head -p x"},
       {"bash", "-c", "mysql -p" + gone + " <q.sql && curl -u me:" + gone + " host | head -p x"}},
      {"long flag in shell text",
       {"sh", "-ec", "train --token canary"},
       {"sh", "-ec", "train --token " + gone}},
  });
}

TEST(ShortFlags, LeaveWhatIsNoPassword) {
  const std::vector<Arguments> lines{
      {"serve.py", "-p", "8080"},
      {"train.py", "-p", "0.5"},
      {"train.py", "-p", "/data/Set1"},
      {"train.py", "-p", "./Set1"},
      {"train.py", "-p", "data/set1"},
      {"train.py", "-p", "Config1.yaml"},
      {"train.py", "-p", "bf16"},
      {"train.py", "-p", "debug"},
      {"train.py", "-p", "--verbose"},
      {"train.py", "-parallel", "-pipeline8"},
      {"srun", "-p", "GPU-A100", "python", "train.py"},
      {"docker", "run", "-p", "8080:80", "-u", "me:group", "image"},
      {"pytest", "-p", "no:Cache1"},
      {"mkdir", "-p", "Runs1"},
      {"mysql", "-P", "3306"},
      {"python", "-u", "train.py"},
      {"serve.py", "-u", "https://host/path"},
      {"serve.py", "-u", "host:8080"},
      {"pip", "install", "--user", "numpy"},
      {"bash", "-c", "mysql -e q.sql | python train.py -parallel"},
      {"python", "-c", "print( 1 -p Canary1 )"},
  };
  for (const Arguments& line : lines) {
    SCOPED_TRACE(line.front() + " " + line[1]);
    EXPECT_EQ(redact_arguments(line), line);
  }
}

}  // namespace
}  // namespace latido
